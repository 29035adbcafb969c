// Keyboard: j and k go through rows wherever there are some; / searches; Esc goes up; ? explains.
import { h } from "./dom.js";

const KEYS = [
  ["j or ↓, k or ↑", "next and previous line of a table"],
  ["j or →, k or ←", "next and previous row, on a row's page"],
  ["Enter", "open what has the focus"],
  ["/", "search or filter"],
  ["Esc", "leave the search, then up one level"],
  ["t", "light or dark colours"],
  ["?", "this list"],
];

export const page = { previous: null, next: null, up: null };

/** Forget what the keys do on the page that was left. */
export function reset() {
  page.previous = page.next = page.up = null;
}

/** Listen to the keyboard. */
export function listen(flipTheme) {
  const dialog = makeHelp();
  document.body.append(dialog);
  document.getElementById("help").addEventListener("click", () => dialog.showModal());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || dialog.open) return;
    const field = event.target.closest?.("input, select, textarea");
    if (field) { if (event.key === "Escape") { field.blur(); event.preventDefault(); } return; }
    if (act(event, dialog, flipTheme)) event.preventDefault();
  });
}

function act(event, dialog, flipTheme) {
  const scrolls = event.target.closest?.(".text");
  switch (event.key) {
    case "?": dialog.showModal(); return true;
    case "t": flipTheme(); return true;
    case "/": return focusSearch();
    case "Escape": return follow(page.up);
    case "j": return follow(page.next) || step(1);
    case "k": return follow(page.previous) || step(-1);
    case "ArrowRight": return !scrolls && follow(page.next);
    case "ArrowLeft": return !scrolls && follow(page.previous);
    case "ArrowDown": return inTable(event) && step(1);
    case "ArrowUp": return inTable(event) && step(-1);
    default: return false;
  }
}

function inTable(event) {
  return Boolean(event.target.closest?.("tbody"));
}

function focusSearch() {
  const box = document.querySelector("main input[type=search]");
  box?.focus();
  box?.select();
  return Boolean(box);
}

function follow(to) {
  if (!to) return false;
  location.hash = to;
  return true;
}

function step(by) {
  const links = [...document.querySelectorAll("main tbody a.open")].filter((one) => one.offsetParent !== null);
  if (!links.length) return false;
  const at = links.indexOf(document.activeElement);
  const next = links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, at + by))];
  next.focus();
  next.closest("tr").scrollIntoView({ block: "nearest" });
  return true;
}

function makeHelp() {
  const close = h("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog = h("dialog", { "aria-labelledby": "help-title" },
    h("h2", { id: "help-title" }, "Keyboard"),
    h("dl", { class: "keys" }, KEYS.map(([keys, what]) => h("div", {}, h("dt", {}, keys.split(/( or |, )/).map((part) => / or |, /.test(part) ? part : h("kbd", {}, part))), h("dd", {}, what)))),
    h("p", { class: "soft" }, "Every view has its own address: copy it to show somebody the same."), close);
  return dialog;
}
