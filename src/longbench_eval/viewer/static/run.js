// One run: its averages, its warnings, its tasks; beside another run if one is chosen.
import { h } from "./dom.js";
import { get } from "./api.js";
import { ALL, go, link, pick } from "./route.js";
import { bar, chip, copy, fact, select, swing } from "./widgets.js";
import { count, message, points, signed, when } from "./text.js";

const COUNTS = [["failed", "failed", "bad"], ["truncated", "cut", ""], ["empty", "empty", "warn"], ["capped", "capped", ""]];
const BUCKETS = ["0-4k", "4-8k", "8k+"];

export async function runPage(route, signal) {
  const name = route.run, otherName = route.query.get("with") ?? "";
  const [run, list, other] = await Promise.all([get("run", { run: name }, signal), get("runs", {}, signal), otherName ? get("run", { run: otherName }, signal) : null]);
  const query = pick(route.query, "with");
  const others = list.runs.filter((one) => one.name !== name).map((one) => [one.name, one.name]);
  const node = h("div", {},
    h("div", { class: "title" }, h("h1", {}, run.name), about(run)),
    run.problem ? h("p", { class: "notice bad" }, message(run.problem)) : null,
    h("div", { class: "toolbar" },
      others.length ? select("Compare with", [["", "no other run"], ...others], otherName, (value) => go(link([name], { with: value }))) : null,
      h("a", { class: "button", href: link([name, ALL], { ...query, sort: other ? "difference" : "score", down: other ? 1 : "" }) }, other ? "Rows that differ most" : "Rows with the lowest scores")),
    averages(run, other),
    other ? differing(run, other) : null,
    warnings(run, query),
    h("h2", {}, "Tasks"), run.tasks.length ? tasks(run, other, query) : h("p", { class: "soft" }, "No rows yet."),
    made(run));
  return { title: name, node, keys: { up: link() } };
}

function about(run) {
  const rows = run.planned && run.planned !== run.rows ? `${count(run.rows)} of ${count(run.planned)} rows` : `${count(run.rows)} rows`;
  const facts = [run.model === run.name ? "" : run.model, run.suite, rows, when(run.date)].filter(Boolean).join(" · ");
  return [h("p", { class: "soft" }, facts, run.kind === "folder" ? [" · ", chip("predictions only", { title: "No run.json: scored as they lie, with the official rules" })] : null),
    run.signature ? h("p", { class: "signature" }, h("code", {}, run.signature), copy(run.signature)) : null];
}

function averages(run, other) {
  const names = Object.keys(run.averages).sort((a, b) => rank(a) - rank(b));
  const flat = Object.entries(run.flat_averages ?? {}).filter(([, value]) => typeof value === "number");
  const known = names.filter((name) => typeof run.averages[name] === "number");
  const withheld = names.filter((name) => !known.includes(name) && run.withheld[name]);
  const figure = (name) => {
    const mine = run.averages[name], theirs = other?.averages[name];
    return h("div", { class: "figure" }, h("dt", {}, name), h("dd", {}, h("span", { class: "big" }, points(mine)),
      other ? h("span", { class: "versus" }, `${points(theirs)} `, h("span", { class: tone(theirs - mine) }, typeof theirs === "number" ? signed(theirs - mine) : "")) : null));
  };
  return [known.length || flat.length ? h("dl", { class: "figures" }, known.map(figure), flat.map(([name, value]) => h("div", { class: "figure minor" }, h("dt", {}, name), h("dd", {}, points(value))))) : null,
    withheld.length ? h("p", { class: "soft withheld" }, h("strong", {}, `${withheld.join(", ")} withheld`), `: ${shorten(run.withheld[withheld[0]])}`) : null];
}

function rank(name) {
  return ["All", "EN", "ZH", ...BUCKETS].indexOf(name);
}

function shorten(text) {
  const reasons = text.split("; ");
  return reasons.length > 3 ? `${reasons.slice(0, 2).join("; ")}; and ${reasons.length - 2} more reasons` : text;
}

function tone(difference) {
  return difference > 0.005 ? "up" : difference < -0.005 ? "down" : "soft";
}

/** Whether the two were made in the same way. */
function differing(run, other) {
  const [mine, theirs] = [run, other].map((one) => new Map(one.signature.split("|").map((part, at) => at ? [part.split(":")[0], part.slice(part.indexOf(":") + 1)] : ["suite", part])));
  const names = [...new Set([...mine.keys(), ...theirs.keys()])].filter((name) => mine.get(name) !== theirs.get(name));
  if (!names.length) return h("p", { class: "soft" }, "Both signatures agree.");
  return h("div", { class: "notice" }, h("p", {}, h("strong", {}, "The signatures differ"), ": a difference in scores may come from this."),
    h("div", { class: "wide" }, h("table", { class: "plain" }, h("caption", { class: "hidden" }, "Differing parts of the signatures"),
      h("thead", {}, h("tr", {}, ["", run.name, other.name].map((text) => h("th", { scope: "col" }, text || h("span", { class: "hidden" }, "Part"))))),
      h("tbody", {}, names.map((name) => h("tr", {}, h("th", { scope: "row" }, name), h("td", {}, mine.get(name) ?? "–"), h("td", {}, theirs.get(name) ?? "–")))))));
}

function warnings(run, query) {
  const found = [...run.warnings, ...run.tasks.flatMap((task) => task.warnings)];
  if (!found.length) return null;
  return h("details", { class: "warnings", open: found.length <= 6 }, h("summary", {}, h("h2", {}, `${found.length} ${found.length === 1 ? "warning" : "warnings"}`)),
    h("ul", {}, found.map(({ task, text, line }) => h("li", {}, task ? h("a", { href: link([run.name, task], query) }, task) : h("strong", {}, "run"), " ", message(text), " ",
      task && line ? h("a", { class: "example", href: link([run.name, task, line], query) }, `see line ${line}`) : null))));
}

function tasks(run, other, query) {
  const buckets = run.tasks.some((task) => task.buckets);
  const theirs = new Map((other?.tasks ?? []).map((task) => [task.task, task]));
  const columns = buckets ? 3 : 1;
  const heads = ["Task", ...(buckets ? BUCKETS : ["Score"]), ...(other ? [shortName(other.name), "Difference"] : []), "Rows", "Counts", "Warnings"];
  const numeric = new Set([...BUCKETS, "Rows", "Warnings", "Difference", other ? shortName(other.name) : ""]);
  const groups = Map.groupBy ? Map.groupBy(run.tasks, (task) => task.category) : group(run.tasks);
  return h("div", { class: "wide" }, h("table", { class: "tasks" }, h("caption", { class: "hidden" }, `Tasks of ${run.name}`),
    h("thead", {}, h("tr", {}, heads.map((text) => h("th", { scope: "col", class: numeric.has(text) ? "number" : null, title: text === "Counts" ? "Rows that failed, were cut to fit, are empty, or were ended by the cap" : null }, text)))),
    [...groups].map(([category, members]) => h("tbody", {},
      h("tr", { class: "category" }, h("th", { scope: "rowgroup" }, category), h("td", { colspan: String(columns), class: buckets ? "number" : "mean" }, typeof run.categories[category] === "number" ? `mean ${points(run.categories[category])}` : ""), other ? [h("td"), h("td")] : null, h("td"), h("td"), h("td")),
      members.map((task) => taskLine(run, task, theirs.get(task.task), other, buckets, query))))));
}

function group(list) {
  const groups = new Map();
  for (const task of list) groups.set(task.category, [...(groups.get(task.category) ?? []), task]);
  return groups;
}

function taskLine(run, task, their, other, buckets, query) {
  const difference = typeof their?.score === "number" && typeof task.score === "number" ? their.score - task.score : null;
  const counts = COUNTS.filter(([key]) => task[key] > 0).map(([key, text, kind]) => chip(`${count(task[key])} ${text}`, { kind, href: link([run.name, task.task], { ...query, mark: key }) }));
  const rows = task.expected_n && task.expected_n !== task.n ? [count(task.n), h("span", { class: "soft" }, ` / ${count(task.expected_n)}`)] : count(task.n);
  return h("tr", {},
    h("th", { scope: "row" }, task.here ? h("a", { class: "open", href: link([run.name, task.task], query) }, task.task) : task.task, h("span", { class: "soft metric" }, task.metric)),
    buckets ? BUCKETS.map((name) => h("td", { class: "number" }, points(task.buckets?.[name]))) : h("td", { class: "score" }, bar(task.score / 100), h("span", {}, points(task.score))),
    other ? [h("td", { class: "number" }, points(their?.score)), h("td", { class: "number difference" }, swing(difference === null ? null : difference / 25), h("span", { class: tone(difference) }, signed(difference)))] : null,
    h("td", { class: "number" }, rows), h("td", { class: "counts" }, counts),
    h("td", { class: "number" }, task.warnings.length ? chip(task.warnings.length, { kind: "warn", title: task.warnings.map((one) => one.text).join("\n") }) : ""));
}

function shortName(name) {
  return name.length > 24 ? `…${name.slice(-22)}` : name;
}

/** How it was made: settings, model, machine, starts. */
function made(run) {
  if (!run.settings) return h("p", { class: "soft path" }, h("code", {}, run.path));
  const last = run.invocations.at(-1) ?? {};
  const model = run.evidence?.model ?? {};
  return h("details", { class: "made" }, h("summary", {}, h("h2", {}, "How it was made")),
    h("dl", { class: "facts" },
      fact("folder", h("code", {}, run.path)), fact("model", plain(model)), fact("versions", plain(last.versions)), fact("hardware", plain(last.hardware)),
      fact("templates", plain(run.evidence?.templates)), fact("settings", plain(Object.fromEntries(Object.entries(run.settings).filter(([, value]) => value !== null && value !== false)))),
      fact("starts", run.invocations.map((one) => h("div", {}, `${when(one.started_at)}${one.ended_at ? ` to ${when(one.ended_at)}, ${count(one.rows)} rows` : ", not ended"}`)))));
}

/** A record in words; texts only. */
function plain(value) {
  if (value === null || value === undefined || typeof value !== "object") return value === undefined || value === null ? null : String(value);
  const pairs = Object.entries(value).filter(([, one]) => one !== null && one !== "" && !(typeof one === "object" && !Object.keys(one).length));
  if (!pairs.length) return null;
  return h("span", { class: "pairs" }, pairs.map(([key, one]) => h("span", {}, h("span", { class: "soft" }, `${key} `), typeof one === "object" ? JSON.stringify(one) : String(one))));
}
