// Small parts that several pages are made of.
import { h, say } from "./dom.js";

/** A bar as long as a score; `value` in [0, 1]. */
export function bar(value, extra = "") {
  const width = Number.isFinite(value) ? Math.max(0, Math.min(1, value)) : 0;
  return h("span", { class: `bar ${extra}`, "--w": `${(100 * width).toFixed(2)}%`, "aria-hidden": "true" }, h("i"));
}

/** A difference in [-1, 1] as a bar from the middle. */
export function swing(value) {
  const width = Number.isFinite(value) ? Math.min(1, Math.abs(value)) * 50 : 0;
  return h("span", { class: `swing ${value < 0 ? "down" : "up"}`, "--w": `${width.toFixed(2)}%`, "aria-hidden": "true" }, h("i"));
}

/** One small bar a task: a run at a glance. */
export function fingerprint(names, scores) {
  const width = 5, high = 22;
  const known = names.filter((name) => typeof scores[name] === "number");
  const label = known.length ? `Scores of ${known.length} tasks: ` + known.map((name) => `${name} ${scores[name].toFixed(0)}`).join(", ") : "no scores yet";
  const bars = names.map((name, at) => {
    const value = scores[name];
    const tall = typeof value === "number" ? Math.max(1, (high * Math.min(100, value)) / 100) : 0;
    return h("rect", { x: String(at * (width + 1)), y: String(high - tall), width: String(width), height: String(tall), class: "fp" });
  });
  const wide = names.length * (width + 1) - 1;
  return h("svg", { class: "fingerprint", viewBox: `0 0 ${wide} ${high}`, width: String(wide), height: String(high), role: "img", "aria-label": label },
    h("rect", { x: "0", y: String(high - 0.5), width: String(wide), height: "0.5", class: "ground" }), bars);
}

/** How scores are spread: ten bars that filter. */
export function spread(histogram, chosen, choose) {
  const most = Math.max(1, ...histogram);
  return h("div", { class: "spread", role: "group", "aria-label": "Rows by score" }, histogram.map((n, at) => {
    const range = `${at / 10} to ${(at + 1) / 10}`;
    const picked = chosen === String(at);
    return h("button", { type: "button", "aria-pressed": String(picked), title: `${n} rows score ${range}`, disabled: n === 0 && !picked,
      "aria-label": `${n} rows with a score of ${range}`, "--h": `${n ? Math.max(4, (100 * n) / most).toFixed(1) : 0}%`, onclick: () => choose(picked ? "" : String(at)) }, h("i"));
  }));
}

/** A column's heading that sorts by it. */
export function sortHead(label, key, state, choose, { numeric = false, first = "descending", title } = {}) {
  const active = state.key === key;
  const sort = active ? (state.down ? "descending" : "ascending") : "none";
  const flip = () => choose(key, active ? !state.down : first === "descending");
  return h("th", { scope: "col", class: numeric ? "number" : null, "aria-sort": sort, "data-column": key },
    h("button", { type: "button", class: "sort", onclick: flip, title }, label, h("span", { class: "arrow", "aria-hidden": "true" }, active ? (state.down ? "↓" : "↑") : "")));
}

/** A mark or fact as a small label; with `href` a link. */
export function chip(text, { kind = "", title, href } = {}) {
  return h(href ? "a" : "span", { class: `chip ${kind}`, title, href }, text);
}

const MILD = new Set(["truncated", "capped", "rows-moved"]);
/** A row's marks. */
export function marks(names, about = {}) {
  return names.map((name) => chip(label(name), { kind: name === "failed" || name === "unscorable" || name === "too-long" ? "bad" : MILD.has(name) ? "" : "warn", title: about[name] }));
}

/** A mark's name for people. */
export function label(name) {
  return name === "truncated" ? "cut" : name.replaceAll("-", " ");
}

/** A button that copies a text. */
export function copy(text, what = "Copy") {
  return h("button", { type: "button", class: "quiet small", onclick: async (event) => {
    const button = event.currentTarget;
    try { await navigator.clipboard.writeText(text); } catch { say("The browser does not let this page copy."); return; }
    button.textContent = "Copied";
    say("Copied");
    setTimeout(() => { button.textContent = what; }, 1500);
  } }, what);
}

/** A choice among names; `choices` is [[value, text]]. */
export function select(labelText, choices, value, choose) {
  const field = h("select", { onchange: (event) => choose(event.currentTarget.value) },
    choices.map(([key, text]) => h("option", { value: key, selected: key === value }, text)));
  return h("label", { class: "field" }, h("span", {}, labelText), field);
}

/** A search box that waits until typing stops. */
export function search(labelText, value, found, wait = 250) {
  let timer;
  const input = h("input", { type: "search", class: "search", value, placeholder: labelText, "aria-label": labelText, "aria-keyshortcuts": "/", autocomplete: "off", spellcheck: "false",
    oninput: () => { clearTimeout(timer); timer = setTimeout(() => found(input.value), wait); },
    onkeydown: (event) => { if (event.key === "Enter") { clearTimeout(timer); found(input.value); } } });
  return h("div", { class: "searchbox" }, input, h("kbd", { "aria-hidden": "true" }, "/"));
}

/** A term and what it is, or nothing when that is not known. */
export function fact(term, value) {
  if (value === null || value === undefined || value === "") return [];
  return h("div", {}, h("dt", {}, term), h("dd", {}, value));
}
