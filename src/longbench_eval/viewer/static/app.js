// The frame: which page an address means, the way back, the colours, the keyboard.
import { add, h, say } from "./dom.js";
import { failure, Refused } from "./api.js";
import { ALL, here, link, pick } from "./route.js";
import { listen, page, reset } from "./keys.js";
import { runsPage } from "./runs.js";
import { runPage } from "./run.js";
import { rowsPage } from "./rows.js";
import { rowPage } from "./row.js";

const main = document.getElementById("main");
const busy = document.getElementById("busy");
let leaving = new AbortController();
let kept = {};

async function show() {
  leaving.abort();
  leaving = new AbortController();
  const { signal } = leaving;
  const route = here();
  const slow = setTimeout(() => { busy.hidden = false; }, 120);
  main.setAttribute("aria-busy", "true");
  let made;
  try {
    made = await pageOf(route)(route, signal);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refused)) console.error(error);
    made = { title: "Error", node: failure(error) };
  } finally {
    clearTimeout(slow);
  }
  if (signal.aborted) return;
  busy.hidden = true;
  mount(route, made);
}

function pageOf(route) {
  if (route.kind !== "runs" || !route.run) return runsPage;
  if (!route.task) return runPage;
  return route.line ? rowPage : rowsPage;
}

function mount(route, made) {
  const key = [route.kind, route.run, route.task, route.line].join("/");
  const again = kept.key === key;
  const typing = again && document.activeElement?.matches("input[type=search]") ? document.activeElement.selectionStart : null;
  const focused = again && document.activeElement?.closest("[data-column]")?.dataset.column;
  reset();
  Object.assign(page, made.keys ?? {});
  main.replaceChildren(made.node);
  main.dataset.address = location.hash;
  main.removeAttribute("aria-busy");
  document.title = made.title === "Runs" ? "longbench-eval" : `${made.title} · longbench-eval`;
  document.getElementById("trail").replaceChildren(trail(route));
  if (!again) { scrollTo(0, 0); main.focus({ preventScroll: true }); say(made.title); }
  else if (typing !== null) restore(main.querySelector("input[type=search]"), typing);
  else if (focused) main.querySelector(`[data-column="${CSS.escape(focused)}"] button`)?.focus();
  kept = { key };
  made.after?.();
}

function restore(box, at) {
  box?.focus();
  box?.setSelectionRange(at, at);
}

function trail(route) {
  const steps = [];
  if (route.kind === "runs" && route.run) {
    const other = pick(route.query, "with");
    steps.push([route.run, link([route.run], other)]);
    const task = route.line && route.query.get("list") === ALL ? ALL : route.task;
    if (task) steps.push([task === ALL ? "all tasks" : task, link([route.run, task], pick(route.query, "with", "sort", "down", "q", "mark", "score"))]);
    if (route.line) steps.push([task === ALL ? `${route.task}, line ${route.line}` : `line ${route.line}`, null]);
  }
  const list = h("ol", {}, h("li", {}, steps.length ? h("a", { href: "#/" }, "Runs") : h("span", { "aria-current": "page" }, "Runs")));
  return add(list, steps.map(([text, to], at) => h("li", {}, at === steps.length - 1 ? h("span", { "aria-current": "page" }, text) : h("a", { href: to }, text))));
}

const THEMES = { auto: ["◐", "Colours: as the system"], light: ["☀", "Colours: light"], dark: ["☾", "Colours: dark"] };
function paintTheme() {
  const chosen = document.documentElement.dataset.theme ?? "auto";
  const button = document.getElementById("theme");
  button.textContent = THEMES[chosen][0];
  button.setAttribute("aria-label", THEMES[chosen][1]);
  button.title = THEMES[chosen][1];
}

function flipTheme() {
  const order = ["auto", "light", "dark"];
  const next = order[(order.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % 3];
  if (next === "auto") { delete document.documentElement.dataset.theme; localStorage.removeItem("theme"); }
  else { document.documentElement.dataset.theme = next; localStorage.setItem("theme", next); }
  paintTheme();
  say(THEMES[next][1]);
}

// The token is in a cookie now; it need not stand in the address bar and the history.
if (new URLSearchParams(location.search).has("token")) history.replaceState(null, "", location.pathname + location.hash);
document.getElementById("theme").addEventListener("click", flipTheme);
document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); main.focus(); });
paintTheme();
listen(flipTheme);
addEventListener("hashchange", show);
show();
