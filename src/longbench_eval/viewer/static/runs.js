// The list of runs: filter, sort, two to compare.
import { h } from "./dom.js";
import { get } from "./api.js";
import { link, go } from "./route.js";
import { chip, fingerprint, search, sortHead } from "./widgets.js";
import { count, day, message, points, when } from "./text.js";

const state = { key: "date", down: true, text: "", chosen: [] };
const BUCKETS = ["0-4k", "4-8k", "8k+"];
const MEANS = ["EN", "ZH", "All"];

export async function runsPage(route, signal) {
  const list = await get("runs", {}, signal);
  const names = taskNames(list.runs);
  const common = h("p", { class: "shared soft" });
  const rows = h("tbody");
  const table = h("table", { class: "runs" }, h("caption", { class: "hidden" }, "Runs"), h("thead"), rows);
  const bar = h("div", { class: "chosen", hidden: true });
  const note = h("p", { class: "soft" });

  function draw() {
    const shared = sharedParts(list.runs);
    common.hidden = !shared.length;
    common.replaceChildren("All share ", ...shared.map(([name, value]) => chip(name ? `${name}:${value}` : value)));
    const shown = list.runs.filter(fits).sort(order);
    const withE = shown.some((run) => "0-4k" in run.averages), without = shown.some((run) => !("0-4k" in run.averages));
    table.tHead.replaceChildren(heads(draw, withE, without));
    rows.replaceChildren(...shown.map((run) => line(run, names, shared, choose)));
    note.textContent = shown.length === list.runs.length ? "" : `${shown.length} of ${list.runs.length} runs`;
  }
  function choose(name, on) {
    state.chosen = on ? [...state.chosen, name].slice(-2) : state.chosen.filter((one) => one !== name);
    for (const box of rows.querySelectorAll("input")) box.checked = state.chosen.includes(box.value);
    paintChosen(bar);
  }
  state.chosen = state.chosen.filter((name) => list.runs.some((run) => run.name === name));
  draw();
  paintChosen(bar);
  const node = h("div", {},
    h("div", { class: "title" }, h("h1", {}, "Runs"), h("p", { class: "soft" }, h("code", {}, list.folder), ` · ${count(list.runs.length)} ${list.runs.length === 1 ? "run" : "runs"}`)),
    list.runs.length ? [
      h("div", { class: "toolbar" }, search("Filter by name, model, suite, signature", state.text, (text) => { state.text = text; draw(); }, 60), note),
      common,
      h("div", { class: "wide" }, table), bar] : nothing(list.folder),
    list.whole ? null : h("p", { class: "notice" }, "There are more folders here than are looked into; name one further down."));
  return { title: "Runs", node, after: () => fillIn(list.runs, draw, signal) };
}

function nothing(folder) {
  return h("section", { class: "notice" }, h("h2", {}, "No runs here yet"),
    h("p", {}, "Neither a run (a folder with run.json) nor predictions (files such as qasper.jsonl) were found in ", h("code", {}, folder), ", three levels deep."),
    h("p", {}, "Make one with ", h("code", {}, "longbench-eval demo"), ", or name another folder: ", h("code", {}, "longbench-eval view FOLDER")));
}

/** Score, one after the other, what no summary tells yet. */
async function fillIn(runs, draw, signal) {
  for (const run of runs.filter((one) => one.state === "unscored" || one.state === "stale")) {
    try { Object.assign(run, await get("card", { run: run.name }, signal)); } catch (error) { if (signal.aborted) return; run.problem = error.message; run.state = "broken"; }
    if (signal.aborted) return;
    draw();
  }
}

function fits(run) {
  const words = state.text.toLowerCase().split(/\s+/).filter(Boolean);
  const text = [run.name, run.model, run.suite, run.signature, run.kind, run.problem].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

const VALUES = {
  name: (run) => run.name.toLowerCase(), suite: (run) => run.suite, first: (run) => mean(run, 0), second: (run) => mean(run, 1), third: (run) => mean(run, 2),
  rows: (run) => run.rows, warnings: (run) => run.warnings, date: (run) => run.date,
};

function mean(run, at) {
  const value = run.averages["0-4k" in run.averages ? BUCKETS[at] : MEANS[at]];
  return typeof value === "number" ? value : null;
}

/** What is not known comes last, either way. */
function order(a, b) {
  const [x, y] = [VALUES[state.key](a), VALUES[state.key](b)];
  if (x === null || y === null) return (x === null) - (y === null);
  const by = typeof x === "string" ? x.localeCompare(y, "en", { numeric: true }) : x - y;
  return (state.down ? -by : by) || a.name.localeCompare(b.name);
}

function heads(draw, withE, without) {
  const choose = (key, down) => { state.key = key; state.down = down; draw(); document.querySelector(`[data-column="${key}"] button`)?.focus(); };
  const both = (at) => withE && without ? `${MEANS[at]} · ${BUCKETS[at]}` : withE ? BUCKETS[at] : MEANS[at];
  const head = (label, key, options) => sortHead(label, key, state, choose, options);
  return h("tr", {},
    h("th", { scope: "col", class: "tick" }, h("span", { class: "hidden" }, "Compare")),
    head("Run", "name", { first: "ascending" }), head("Suite", "suite", { first: "ascending" }),
    h("th", { scope: "col", class: "fpc" }, "Tasks"),
    head(both(0), "first", { numeric: true }), head(both(1), "second", { numeric: true }), head(both(2), "third", { numeric: true }),
    head("Rows", "rows", { numeric: true }), head("Warnings", "warnings", { numeric: true }), head("Date", "date"));
}

function line(run, names, shared, choose) {
  const own = parts(run).filter(([name, value]) => name && !shared.some(([one, other]) => one === name && other === value));
  const waiting = run.state === "unscored";
  const number = (at, key) => h("td", { class: "number", "data-column": key }, waiting ? h("span", { class: "soft" }, "…") : points(mean(run, at)));
  return h("tr", {},
    h("td", { class: "tick" }, h("input", { type: "checkbox", value: run.name, checked: state.chosen.includes(run.name), "aria-label": `Compare ${run.name}`, onchange: (event) => choose(run.name, event.currentTarget.checked) })),
    h("th", { scope: "row" }, h("a", { class: "open", href: link([run.name]) }, run.name),
      h("div", { class: "under" }, run.model === run.name ? null : h("span", {}, run.model), run.kind === "folder" ? chip("predictions only", { title: "No run.json: scored as they lie" }) : null,
        run.state === "stale" ? chip("rows since its summary", { kind: "warn" }) : null, own.map(([name, value]) => chip(`${name}:${value}`))),
      run.problem ? h("div", { class: "problem" }, message(run.problem)) : null),
    h("td", { class: "suite", "data-column": "suite" }, run.suite || h("span", { class: "soft" }, "…")),
    h("td", { class: "fpc" }, fingerprint(names, run.tasks)),
    number(0, "first"), number(1, "second"), number(2, "third"),
    h("td", { class: "number", "data-column": "rows" }, count(run.rows), run.planned && run.planned !== run.rows ? h("span", { class: "soft" }, ` / ${count(run.planned)}`) : null),
    h("td", { class: "number", "data-column": "warnings" }, run.warnings ? h("a", { class: "chip warn", href: link([run.name]), "aria-label": `${run.warnings} warnings of ${run.name}` }, run.warnings) : waiting ? "" : h("span", { class: "soft" }, "0")),
    h("td", { class: "date", "data-column": "date", title: when(run.date) }, day(run.date)));
}

function paintChosen(bar) {
  const [a, b] = state.chosen;
  bar.hidden = !a;
  bar.replaceChildren(b ? h("span", {}, h("strong", {}, a), " against ", h("strong", {}, b)) : h("span", {}, h("strong", {}, a ?? ""), ": tick another run to compare"),
    b ? h("button", { type: "button", class: "primary", onclick: () => go(link([a], { with: b })) }, "Compare") : "");
}

/** The signature as [name, value]; the suite has no name. */
export function parts(run) {
  return run.signature.split("|").filter(Boolean).map((part) => { const at = part.indexOf(":"); return at < 0 ? ["", part] : [part.slice(0, at), part.slice(at + 1)]; });
}

function sharedParts(runs) {
  const known = runs.filter((run) => run.signature);
  if (known.length < 2) return [];
  const [first, ...rest] = known.map(parts);
  return first.filter(([name, value]) => rest.every((other) => other.some(([one, two]) => one === name && two === value)));
}

function taskNames(runs) {
  return ORDER.filter((name) => runs.some((run) => name in run.tasks) || runs.every((run) => !Object.keys(run.tasks).length));
}

const ORDER = ["narrativeqa", "qasper", "multifieldqa_en", "multifieldqa_zh", "hotpotqa", "2wikimqa", "musique", "dureader", "gov_report", "qmsum", "multi_news", "vcsum", "trec", "triviaqa", "samsum", "lsht", "passage_count", "passage_retrieval_en", "passage_retrieval_zh", "lcc", "repobench-p"];
