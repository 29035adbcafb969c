// The rows of a task, or of a whole run: search, filter, sort, side by side with another run.
import { h } from "./dom.js";
import { get } from "./api.js";
import { ALL, go, link, pick } from "./route.js";
import { bar, label, marks, search, select, sortHead, spread, swing } from "./widgets.js";
import { count, excerpt, points, signed, visible } from "./text.js";

const LIST = ["with", "sort", "down", "q", "mark", "score"];

export async function rowsPage(route, signal) {
  const { run: name, query } = route;
  const task = route.task === ALL ? "" : route.task;
  const [table, list] = await Promise.all([get("rows", { run: name, task, ...pick(query, ...LIST, "page") }, signal), get("runs", {}, signal)]);
  const other = query.get("with") ?? "";
  const now = pick(query, ...LIST);
  const to = (changes, quietly) => go(link([name, route.task], { ...now, ...changes }), quietly);
  const node = h("div", {},
    h("div", { class: "title" }, h("h1", {}, task || "All tasks"), summary(name, table, other)),
    table.problems.length ? h("details", { class: "notice bad" }, h("summary", {}, `${count(table.problems.length)} ${table.problems.length === 1 ? "line" : "lines"} cannot be read`), h("ul", {}, table.problems.map((text) => h("li", {}, visible(text))))) : null,
    h("div", { class: "toolbar" },
      search("Search questions, predictions, answers", now.q ?? "", (q) => { if (q !== (now.q ?? "")) to({ q }, true); }),
      select("Show", choices(table), now.mark ?? "", (mark) => to({ mark })),
      select("Compare with", [["", "no other run"], ...candidates(list.runs, name, task)], other, (value) => to({ with: value, ...(value ? { sort: "difference", down: 1 } : { sort: "", down: "" }) })),
      spread(table.histogram, now.score ?? "", (score) => to({ score }))),
    found(table, now, to),
    table.rows.length ? h("div", { class: "wide" }, grid(route, table, list.marks, now, to)) : h("p", { class: "notice" }, "No row fits."),
    pager(table, to));
  return { title: `${task || "All tasks"} · ${name}`, node, keys: { up: link([name], pick(query, "with")) }, after: () => questions(node, name, table, signal) };
}

function summary(name, table, other) {
  const mean = table.pair_means;
  return [h("p", { class: "soft" }, `${count(table.n)} rows of ${name} · mean `, h("strong", {}, points(table.mean, 100)),
    other ? [` · ${count(table.paired)} rows in both: `, mean ? [`${points(mean.mine, 100)} here, ${points(mean.theirs, 100)} in ${other} `, h("strong", {}, signed(mean.theirs - mean.mine, 100))] : "none"] : null)];
}

function candidates(runs, name, task) {
  return runs.filter((run) => run.name !== name && (!task || !Object.keys(run.tasks).length || task in run.tasks)).map((run) => [run.name, run.name]);
}

function choices(table) {
  const found = Object.entries(table.marks).sort((a, b) => b[1] - a[1]);
  return [["", `all rows (${count(table.n)})`], ...found.map(([name, n]) => [name, `${label(name)} (${count(n)})`])];
}

function found(table, now, to) {
  const filtered = now.q || now.mark || now.score;
  if (!filtered) return null;
  return h("p", { class: "found", role: "status" }, `${count(table.matched)} of ${count(table.n)} rows fit`, table.whole ? "" : " so far: the search was stopped after five seconds", ". ",
    h("button", { type: "button", class: "quiet small", onclick: () => to({ q: "", mark: "", score: "" }) }, "Show all"));
}

function grid(route, table, about, now, to) {
  const other = now.with, all = route.task === ALL;
  const tokens = table.rows.some((row) => row.tokens !== null), marked = Object.keys(table.marks).length > 0;
  const most = Math.max(...table.rows.map((row) => Math.abs(row.difference ?? 0)), 0.01);
  const state = { key: now.sort ?? "line", down: now.down === "1" };
  const choose = (key, down) => to({ sort: key === "line" && !down ? "" : key, down: down ? 1 : "" });
  const head = (text, key, options) => sortHead(text, key, state, choose, options);
  return withRoles(h("table", { class: "rows" }, h("caption", { class: "hidden" }, "Rows"),
    h("thead", {}, h("tr", {}, head("Line", "line", { numeric: true, first: "ascending" }), head("Score", "score", { first: "ascending" }),
      other ? [head("Other", "other", { numeric: true, title: other }), head("Difference", "difference", { numeric: true })] : null,
      h("th", { scope: "col", class: "texts" }, "Question, prediction, answer"),
      head("Length", "length", { numeric: true, title: "As stored in the data: words, in Chinese characters" }), tokens ? head("Tokens", "tokens", { numeric: true, title: "Of the prompt as sent" }) : null, marked ? head("Marks", "marks") : null)),
    h("tbody", {}, table.rows.map((row) => h("tr", {},
      h("td", { class: "number line" }, h("a", { class: "open", href: link([route.run, row.task, row.line], { ...now, list: all ? ALL : "" }), "aria-label": `${all ? `${row.task}, ` : ""}line ${row.line}` }, row.line), all ? h("span", { class: "soft taskname" }, row.task) : null),
      h("td", { class: "score" }, bar(row.score), h("span", {}, points(row.score, 100))),
      other ? [h("td", { class: "number" }, points(row.other, 100)), h("td", { class: "number difference" }, swing(row.difference / most), h("span", {}, signed(row.difference, 100)))] : null,
      h("td", { class: "texts" }, h("p", { class: "question", dir: "auto", "data-line": row.line, "data-task": row.task, hidden: true }), h("p", { class: "pred", dir: "auto" }, excerpt(row.pred)),
        h("p", { class: "answer", dir: "auto" }, h("span", { class: "soft" }, "answer "), excerpt(row.answer), row.answers > 1 ? h("span", { class: "soft" }, ` and ${row.answers - 1} more`) : null)),
      h("td", { class: "number plainnumber" }, count(row.length)), tokens ? h("td", { class: "number plainnumber" }, count(row.tokens)) : null, marked ? h("td", { class: "counts" }, marks(row.marks, about)) : null)))));
}

/** On phones the style sheet lays rows out as blocks, which would take the table's roles from it. */
function withRoles(table) {
  const roles = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TH: "columnheader", TD: "cell" };
  for (const part of [table, ...table.querySelectorAll("thead, tbody, tr, th, td")]) part.setAttribute("role", roles[part.tagName]);
  return table;
}

function pager(table, to) {
  if (table.pages < 2) return null;
  const button = (text, page, off) => h("button", { type: "button", disabled: off, onclick: () => { to({ page: page || "" }); scrollTo(0, 0); } }, text);
  return h("nav", { class: "pager", "aria-label": "Pages" }, button("Previous", table.page - 1, table.page < 1), h("span", {}, `Page ${table.page + 1} of ${table.pages}`), button("Next", table.page + 1, table.page >= table.pages - 1));
}

/** Questions come from the data, so they are asked for when the table stands. */
async function questions(node, run, table, signal) {
  const byTask = new Map();
  for (const row of table.rows) byTask.set(row.task, [...(byTask.get(row.task) ?? []), row.line]);
  for (const [task, lines] of byTask) {
    let texts;
    try { texts = await get("questions", { run, task, lines: lines.join(",") }, signal); } catch { return; }
    for (const cell of node.querySelectorAll(".question")) {
      const text = cell.dataset.task === task ? texts[cell.dataset.line] : null;
      if (text?.trim()) { cell.replaceChildren(...excerpt({ text, total: text.length })); cell.hidden = false; }
    }
  }
}
