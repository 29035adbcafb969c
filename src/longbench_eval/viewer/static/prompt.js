// The prompt as it was rendered: its ends and the cut at once, the rest when asked for.
import { h } from "./dom.js";
import { get } from "./api.js";
import { count, message, visible } from "./text.js";

const AT_ONCE = 10000;
const PROOFS = {
  sent: ["good", "This is the very text that was sent: its SHA-256 is the recorded one."],
  wrapped: ["", "It was sent inside the model's chat template, which is not shown; the recorded hash is that of the whole."],
  differs: ["warn", "This is not the very text that was sent: its SHA-256 is another. The data or the template are others, or the tokenizer does not give back every character where it was cut."],
  unknown: ["", "No hash of the prompt is on record, so nothing proves that this was sent."],
};

/** The nodes of the section. */
export function promptSection(shape, row, run, task) {
  const title = h("h2", {}, "Prompt");
  if (shape.problem) return [title, missing(shape.problem)];
  const text = async (start, end) => (await get("text", { run, task, line: row.line, of: "prompt", start, end })).text;
  const [tone, proof] = PROOFS[shape.proof] ?? PROOFS.unknown;
  return [title,
    h("p", { class: "soft" }, `${count(shape.total)} characters`, shape.cut ? `, of which ${count(shape.cut.end - shape.cut.start)} were cut out` : "", ` · from ${shape.data}`),
    h("p", { class: `proof ${tone}` }, proof),
    shape.other_data ? h("p", { class: "notice" }, "These data are not the file that the run was made from (another SHA-256): what follows may differ from what was asked.") : null,
    shape.cut_unknown ? h("p", { class: "notice" }, "The record of the cut does not fit this prompt, so the whole of it is shown.") : null,
    map(shape, row, text), layout(shape, text)].filter(Boolean);
}

function missing(problem) {
  return h("div", { class: "notice" }, h("p", {}, message(problem)), /data pull/.test(problem) ? null : h("p", {}, "Prompts need the data: ", h("code", {}, "longbench-eval data pull"), ", or ", h("code", {}, "--data FOLDER"), "."));
}

/** The prompt as a strip: what was cut, and where a reference answer stands word for word; a summary never does. */
function map(shape, row, text) {
  if (!shape.cut && !shape.hits.length && row.metric.startsWith("rouge")) return null;
  const wide = 1000, tall = 18, x = (at) => ((wide * at) / Math.max(1, shape.total)).toFixed(2);
  const kept = shape.hits.filter((hit) => !hit.cut).length, lost = shape.hits.length - kept;
  const words = shape.hits.length ? `The context holds a reference answer word for word ${times(shape.hits.length)}${lost ? `; ${fate(lost, shape.hits.length)} cut out` : ""}.` : "No reference answer stands in the context word for word.";
  const strip = h("svg", { class: "map", viewBox: `0 0 ${wide} ${tall}`, preserveAspectRatio: "none", role: "img", "aria-label": `Map of the prompt. ${words}` },
    h("rect", { class: "all", x: "0", y: "4", width: String(wide), height: "10", rx: "3" }),
    shape.cut ? h("rect", { class: "lost", x: x(shape.cut.start), y: "4", width: String(Math.max(2, x(shape.cut.end) - x(shape.cut.start))), height: "10" }) : null,
    shape.hits.map((hit) => h("rect", { class: hit.cut ? "hit cut" : "hit", x: x(hit.start), y: "0", width: "3", height: String(tall) })));
  const peek = h("div", { class: "peek", "aria-live": "polite" });
  const jump = (hit) => async () => {
    const from = Math.max(0, hit.start - 300), to = Math.min(shape.total, hit.end + 300);
    const around = [...await text(from, to)];
    const part = (a, b) => visible(around.slice(a - from, b - from).join(""));
    peek.replaceChildren(h("p", { class: "soft" }, `Characters ${count(from)} to ${count(to)}${hit.cut ? ": cut out, not sent" : ""}`),
      h("div", { class: hit.cut ? "text gone" : "text", dir: "auto" }, from ? "…" : "", part(from, hit.start), h("mark", { class: hit.cut ? "miss" : "hit" }, part(hit.start, hit.end)), part(hit.end, to), to < shape.total ? "…" : ""));
  };
  const buttons = shape.hits.slice(0, 12).map((hit, at) => h("button", { type: "button", class: `small ${hit.cut ? "lost" : ""}`, title: row.answers[hit.answer]?.text.slice(0, 100), "aria-label": `Show place ${at + 1}${hit.cut ? ", cut out" : ""}`, onclick: jump(hit) }, at + 1));
  return h("div", { class: "mapbox" }, strip, h("p", { class: lost && !kept ? "bad-text" : "soft" }, words, buttons.length ? [" See ", buttons, shape.hits.length > 12 ? ` and ${shape.hits.length - 12} more` : ""] : ""), peek);
}

function fate(lost, all) {
  if (lost < all) return `${count(lost)} of them ${lost === 1 ? "was" : "were"}`;
  return all === 1 ? "it was" : "all of them were";
}

function times(n) {
  return n === 1 ? "once" : n === 2 ? "twice" : `${count(n)} times`;
}

function layout(shape, text) {
  const { cut, total } = shape;
  const box = h("div", { class: "sheet" });
  if (!cut) { box.append(stretch(text, 0, total, 3000, 1500)); return box; }
  const lost = `${count(cut.end - cut.start)} characters cut out here: ${count(cut.tokens_before)} tokens became ${count(cut.tokens_after)}`;
  const gone = h("details", { class: "gone", ontoggle: () => { if (gone.open && gone.children.length === 1) gone.append(stretch(text, cut.start, cut.end, 3000, 1500)); } }, h("summary", {}, lost));
  box.append(stretch(text, 0, cut.start, 2000, 1000), gone, stretch(text, cut.end, total, 1000, 2000));
  return box;
}

/** Characters a to b: the beginning and the end at once, what lies between in pieces. */
function stretch(text, a, b, head, tail) {
  const body = h("div", { class: "text stretch", dir: "auto" });
  if (b <= a) return body;
  const whole = b - a <= head + tail + 1000;
  const first = h("span"), last = h("span", { class: "part" });
  body.append(first);
  put(first, text, a, whole ? b : a + head);
  if (whole) return body;
  let at = a + head;
  const end = b - tail;
  const fold = h("span", { class: "fold" });
  const load = (all) => async () => {
    for (const button of fold.querySelectorAll("button")) button.disabled = true;
    do {
      const to = Math.min(end, at + AT_ONCE);
      const part = h("span", { class: "part" });
      fold.before(part);
      await put(part, text, at, to);
      at = to;
    } while (all && at < end && fold.isConnected);
    if (at >= end) fold.remove(); else paint();
  };
  function paint() {
    fold.replaceChildren(h("span", {}, `${count(end - at)} characters not shown`), h("button", { type: "button", class: "small", onclick: load(false) }, `Show ${count(Math.min(AT_ONCE, end - at))}`), h("button", { type: "button", class: "small", onclick: load(true) }, "Show all"));
  }
  paint();
  body.append(fold, last);
  put(last, text, end, b);
  return body;
}

async function put(place, text, a, b) {
  try { place.replaceChildren(...visible(await text(a, b))); } catch (error) { place.replaceChildren(h("em", {}, error.message)); }
}
