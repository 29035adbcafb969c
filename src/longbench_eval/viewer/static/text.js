// Texts as they are, with what cannot be seen made visible: a page must show what a model wrote, not obey it.
import { h } from "./dom.js";
import { get } from "./api.js";

const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\n{5,}/g;
const CONTROLS = "NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US".split(" ");
const NAMES = { "\u007f": "DEL", "\u202e": "RLO", "\u202d": "LRO", "\u202a": "LRE", "\u202b": "RLE", "\u202c": "PDF", "\u2066": "LRI", "\u2067": "RLI", "\u2068": "FSI", "\u2069": "PDI", "\u200e": "LRM", "\u200f": "RLM", "\u061c": "ALM", "\u200b": "ZWSP", "\ufeff": "BOM", "\u2028": "LS", "\u2029": "PS" };

function nameOf(found) {
  if (found.startsWith("\n")) return `↵ × ${found.length}`;
  const code = found.charCodeAt(0);
  if (code < CONTROLS.length) return CONTROLS[code];
  return NAMES[found] ?? `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A text as nodes: control characters, direction marks and halves of characters are shown by name. */
export function visible(text) {
  const nodes = [];
  let at = 0;
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > at) nodes.push(text.slice(at, match.index));
    const code = match[0].startsWith("\n") ? "empty lines" : `U+${match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    nodes.push(h("span", { class: "unseen", title: code }, nameOf(match[0])));
    at = match.index + match[0].length;
  }
  nodes.push(text.slice(at));
  return nodes;
}

/** A message of the server, in which `commands` stand between backticks. */
export function message(text) {
  return text.split("`").map((part, at) => at % 2 ? h("code", {}, visible(part)) : visible(part));
}

/** The beginning of a text in one line: { text, total }. */
export function excerpt(clipped) {
  if (!clipped) return [];
  const line = clipped.text.replace(/\s+/g, " ").trim();
  if (!line) return [h("span", { class: "soft" }, clipped.total ? "(white space)" : "(empty)")];
  return [...visible(line), clipped.total > clipped.text.length ? "…" : ""];
}

const KINDS = { hit: "mark", miss: "mark", out: "span", "": "span" };
const TITLES = { hit: "counts for the score", miss: "counts against it", out: "not compared" };

/** Pieces [text, kind] as nodes. */
export function marked(pieces) {
  return pieces.map(([text, kind]) => kind === "" ? visible(text)
    : h(KINDS[kind] ?? "span", { class: kind, title: TITLES[kind] }, visible(text)));
}

/** A block of text that may go on: `more(start)` asks for what follows. */
export function longText(nodes, shown, total, more, { code = false, label = "Text" } = {}) {
  const body = h("div", { class: code ? "text code" : "text", dir: "auto", tabindex: 0, role: "region", "aria-label": label }, nodes);
  const box = h("div", {}, body);
  if (total > shown) box.append(moreButton(body, shown, total, more));
  return box;
}

function moreButton(body, shown, total, more) {
  const button = h("button", { type: "button", class: "more" }, wording());
  button.addEventListener("click", async () => {
    button.disabled = true;
    const text = await more(shown);
    body.append(h("span", { class: "part" }, visible(text)));
    shown += [...text].length;
    button.disabled = false;
    if (shown >= total || !text) button.remove();
    else button.textContent = wording();
  });
  function wording() { return `Show more: ${count(shown)} of ${count(total)} characters`; }
  return button;
}

/** Ask for more of a prediction. */
export function predictionText(run, task, line) {
  return async (start) => (await get("text", { run, task, line, start })).text;
}

const COUNT = new Intl.NumberFormat("en");
/** A whole number with thousands set apart. */
export function count(number) {
  return Number.isFinite(number) ? COUNT.format(number) : "–";
}

/** A score of [0, 1] or a mean on the scale to 100, two decimals; a dash for none. */
export function points(value, scale = 1) {
  return Number.isFinite(value) ? (value * scale).toFixed(2) : "–";
}

/** A difference with its sign. */
export function signed(value, scale = 1) {
  if (!Number.isFinite(value)) return "–";
  const text = Math.abs(value * scale).toFixed(2);
  return text === "0.00" ? "±0.00" : (value > 0 ? "+" : "−") + text;
}

/** A day for people, in their time zone. */
export function day(iso) {
  return when(iso).split(",")[0];
}

/** A date for people, in their time zone. */
export function when(iso) {
  const date = new Date(iso);
  if (!iso || Number.isNaN(date.getTime())) return "–";
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" }).format(date);
}
