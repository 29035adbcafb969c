// #/runs/NAME/TASK/LINE?with=OTHER&sort=score...: every view has its link. TASK is * for all tasks of a run.
export const ALL = "*";

/** Read the address. */
export function here() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [kind, run, task, line] = path.split("/").map(decode);
  return { kind: kind || "", run, task, line, query: new URLSearchParams(query) };
}

function decode(part) {
  try { return decodeURIComponent(part); } catch { return part; }
}

/** Make a link: link([run, task, line], { with: other }). */
export function link(parts = [], query = {}) {
  const path = parts.length ? ["runs", ...parts].map(encodeURIComponent).join("/").replaceAll("%2A", "*") : "";
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== "");
  const tail = new URLSearchParams(given).toString();
  return `#/${path}${tail ? `?${tail}` : ""}`;
}

/** Some parameters of the address. */
export function pick(query, ...names) {
  return Object.fromEntries(names.map((name) => [name, query.get(name) ?? ""]).filter(([, value]) => value !== ""));
}

/** Go somewhere; `quietly` leaves no step to go back to. */
export function go(to, quietly = false) {
  if (quietly) location.replace(to);
  else location.hash = to;
}
