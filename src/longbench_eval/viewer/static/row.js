// One row: what was asked, what came back, what counted; other runs beside it; the prompt below.
import { h } from "./dom.js";
import { get } from "./api.js";
import { ALL, go, link, pick } from "./route.js";
import { bar, copy, fact, marks, select, swing } from "./widgets.js";
import { count, excerpt, longText, marked, message, points, predictionText, signed, visible } from "./text.js";
import { promptSection } from "./prompt.js";

const LIST = ["with", "sort", "down", "q", "mark", "score", "list"];
const SHOWN = 20000;
const CODE = new Set(["code_sim", "code_sim_levenshtein"]);

export async function rowPage(route, signal) {
  const { run, task, line, query } = route;
  const now = pick(query, ...LIST);
  const [row, list] = await Promise.all([get("row", { run, task, line, ...now }, signal), get("runs", {}, signal)]);
  const at = (place) => place ? link([run, place.task, place.line], now) : null;
  const keys = { previous: at(row.previous), next: at(row.next), up: link([run, now.list === ALL ? ALL : task], pick(query, "with", "sort", "down", "q", "mark", "score")) };
  const prompt = h("section", { class: "prompt" }, h("h2", {}, "Prompt"), h("p", { class: "soft" }, "Loading…"));
  const question = h("section", { class: "asked", hidden: true });
  const others = list.runs.filter((one) => one.name !== run);
  const node = h("article", { class: "row" },
    h("div", { class: "title rowtitle" },
      h("div", {}, h("h1", {}, `${task}, line ${row.line}`), h("p", { class: "soft" }, `${row.model}${row.place ? ` · ${count(row.place)} of ${count(row.of)} in this list` : ""}`)),
      h("nav", { class: "steps", "aria-label": "Rows" }, others.length ? select("Beside", [["", "no other run"], ...others.map((one) => [one.name, one.name])], now.with ?? "", (value) => go(link([run, task, line], { ...now, with: value }))) : null, step("Previous", keys.previous, "k"), step("Next", keys.next, "j"))),
    h("div", { class: "verdict" }, h("span", { class: "big" }, points(row.score, 100)), bar(row.score), h("p", {}, row.failed ? "No answer: the model failed. It counts 0." : row.other ? row.metric : [`${row.metric}: `, message(row.why)]), h("div", {}, row.marks.length ? marks(row.marks.map((one) => one.name), Object.fromEntries(row.marks.map((one) => [one.name, one.about]))) : null)),
    question,
    h("div", { class: row.other ? "pair" : "pair one" }, prediction(row, run, task, row, null), row.other ? prediction(row, row.other.run, task, row.other, row) : answers(row)),
    row.other ? answers(row) : null,
    facts(row), others.length ? othersSection(row, run, now) : null, prompt);
  return { title: `${task}, line ${row.line} · ${run}`, node, keys, after: () => fill(prompt, question, row, run, task, signal) };
}

function step(text, to, key) {
  return to ? h("a", { class: "button", href: to, "aria-keyshortcuts": key }, text, h("kbd", { "aria-hidden": "true" }, key)) : h("span", { class: "button off" }, text);
}

async function fill(prompt, question, row, run, task, signal) {
  let shape;
  try { shape = await get("prompt", { run, task, line: row.line }, signal); } catch (error) { if (signal.aborted) return; shape = { problem: error.message }; }
  if (shape.question?.text.trim()) {
    question.replaceChildren(h("h2", {}, "Question"), longText(visible(shape.question.text), [...shape.question.text].length, shape.question.total, async () => "", { code: CODE.has(row.metric), label: "Question" }));
    question.hidden = false;
  }
  prompt.replaceChildren(...promptSection(shape, row, run, task));
}

function prediction(row, run, task, one, first) {
  const head = h("h2", {}, "Prediction", first || row.other ? h("span", { class: "of" }, ` ${run}`) : null);
  if (one.missing) return h("section", { class: "prediction" }, head, h("p", { class: "soft" }, one.missing));
  const text = one.pred.map(([part]) => part).join("");
  const shown = Math.min(SHOWN, one.total);
  const body = one.failed ? h("p", { class: "notice bad" }, "There is no answer: ", visible(String(row.facts?.error?.message ?? "the model failed")))
    : one.total ? longText(marked(one.pred), shown, one.total, predictionText(run, task, one.line), { code: CODE.has(row.metric), label: `Prediction of ${run}` })
      : h("p", { class: "soft" }, "The answer is empty.");
  const difference = first && typeof one.score === "number" && typeof first.score === "number" ? one.score - first.score : null;
  return h("section", { class: "prediction" }, h("div", { class: "bar-title" }, head, text ? copy(text) : null),
    first || row.other ? h("p", { class: "soft" }, h("strong", {}, points(one.score, 100)), difference === null ? "" : [" ", swing(difference), ` ${signed(difference, 100)}`], one.why ? [" · ", message(one.why)] : "") : null, body);
}

function answers(row) {
  const best = row.answer?.index;
  const items = row.answers.map((answer, at) => h("li", { class: at === best ? "best" : null },
    h("div", { class: CODE.has(row.metric) ? "text code" : "text", dir: "auto" }, at === best ? marked(row.answer.pieces) : visible(answer.text), answer.total > answer.text.length && at !== best ? "…" : ""),
    at === best && row.answers.length > 1 && row.score > 0 ? h("span", { class: "chip" }, "gave the score") : null));
  return h("section", { class: "answers" }, h("h2", {}, row.answer_count === 1 ? "Reference answer" : `${count(row.answer_count)} reference answers`),
    items.length ? h("ol", { class: items.length > 1 ? "several" : "" }, items) : h("p", { class: "soft" }, "There is none."),
    row.answer_count > row.answers.length ? h("p", { class: "soft" }, `The first ${row.answers.length} are shown.`) : null,
    row.classes.length ? h("details", {}, h("summary", {}, `${row.classes.length} classes`), h("p", { class: "classes" }, row.classes.map((name) => h("span", { class: `chip ${row.evidence?.kept?.includes(name) ? (name === row.evidence.sought ? "good" : "warn") : ""}` }, visible(name))))) : null,
    legend(row));
}

/** What the marks mean that are on the page. */
function legend(row) {
  const used = new Set([...row.pred, ...(row.other?.pred ?? []), ...(row.answer?.pieces ?? [])].map(([, kind]) => kind));
  const shown = LEGEND.filter(([kind]) => used.has(kind)).map(([kind, tag, text]) => h(tag, { class: kind }, text));
  return shown.length ? h("p", { class: "legend soft" }, shown) : null;
}

const LEGEND = [["hit", "mark", "counts for the score"], ["miss", "mark", "counts against it"], ["out", "span", "grey: not compared"]];
const KNOWN = new Set(["prompt_sha256", "prompt_tokens", "completion_tokens", "truncation", "finish_reason", "error"]);
const REASONS = { stop: "the model ended its answer", length: "the cap on new tokens", newline: "a newline (samsum's rule)", unknown: "not known" };

function facts(row) {
  const { facts: told, timing } = row;
  const cut = told.truncation;
  const rest = Object.entries(told).filter(([name]) => !KNOWN.has(name));
  return h("details", { class: "made", open: true }, h("summary", {}, h("h2", {}, "Facts")), h("dl", { class: "facts" },
    fact("length as stored", typeof row.length === "number" ? count(row.length) : null),
    fact("prompt tokens", told.prompt_tokens === undefined || told.prompt_tokens === null ? null : [count(told.prompt_tokens), cut && typeof cut.tokens_before === "number" ? h("span", { class: "soft" }, ` cut from ${count(cut.tokens_before)}`) : null]),
    fact("answer tokens", told.completion_tokens === undefined || told.completion_tokens === null ? null : [count(told.completion_tokens), h("span", { class: "soft" }, ` of at most ${count(row.cap)}`)]),
    fact("ended by", told.finish_reason ? REASONS[told.finish_reason] ?? String(told.finish_reason) : null),
    fact("error", told.error ? visible(typeof told.error === "object" ? `${told.error.kind}: ${told.error.message}` : String(told.error)) : null),
    fact("latency", typeof timing?.latency_s === "number" ? `${timing.latency_s.toFixed(2)} s` : null),
    fact("from cache", timing?.cached_tokens ? `${count(timing.cached_tokens)} tokens` : null), fact("retries", timing?.retries || null),
    fact("_id", row.id ? h("code", {}, visible(row.id)) : null), fact("prompt SHA-256", told.prompt_sha256 ? h("code", {}, visible(String(told.prompt_sha256))) : null),
    row.first_line ? fact("compared", "the first line only, as in every few-shot task") : null,
    rest.map(([name, value]) => fact(name, h("code", {}, visible(words(value)))))));
}

/** A value of any shape; long ones come as their beginning. */
function words(value) {
  if (typeof value === "string") return value;
  const cut = value && typeof value === "object" && typeof value.text === "string" && typeof value.total === "number";
  return cut ? `${value.text}… (${count(value.total)} characters)` : JSON.stringify(value);
}

function othersSection(row, run, now) {
  const body = h("tbody");
  const table = h("table", { class: "others", hidden: true }, h("caption", { class: "hidden" }, "The same row in other runs"),
    h("thead", {}, h("tr", {}, ["Run", "Score", "Prediction"].map((text) => h("th", { scope: "col" }, text)))), body);
  const note = h("p", { class: "soft" });
  let started = false;
  const load = async () => {
    if (started) return;
    started = true;
    let start = 0;
    note.textContent = "Loading…";
    while (start !== null && box.isConnected) {
      let part;
      try { part = await get("others", { run, task: row.task, line: row.line, start, most: 6 }); } catch (error) { note.textContent = error.message; return; }
      body.append(...part.rows.map((one) => h("tr", {}, h("th", { scope: "row" }, h("a", { href: link([run, row.task, row.line], { ...now, with: one.run }) }, one.run)),
        h("td", { class: "score" }, bar(one.score), h("span", {}, points(one.score, 100))), h("td", { class: "texts", dir: "auto" }, one.failed ? "failed" : h("p", { class: "pred" }, excerpt(one.pred))))));
      table.hidden = !body.children.length;
      start = part.next;
    }
    note.textContent = body.children.length ? "" : "No other run has this row.";
  };
  const box = h("details", { class: "made", ontoggle: () => { if (box.open) load(); } }, h("summary", {}, h("h2", {}, "The same row in other runs")), h("div", { class: "wide" }, table), note);
  return box;
}
