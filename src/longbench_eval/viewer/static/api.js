import { h } from "./dom.js";

/** What the server refuses, in its words. */
export class Refused extends Error {}

/** Ask the API; parameters that are empty are left out. */
export async function get(name, params = {}, signal) {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== null && value !== "");
  let answer;
  try {
    answer = await fetch(`/api/${name}?${new URLSearchParams(given)}`, { signal, headers: { Accept: "application/json" } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Refused("The server does not answer. Is longbench-eval view still running?");
  }
  const text = await answer.text();
  let shape;
  try { shape = JSON.parse(text); } catch { throw new Refused(text.slice(0, 500)); }
  if (!answer.ok) throw new Refused(shape.error ?? `The server answered ${answer.status}.`);
  return shape;
}

/** An error as a page. */
export function failure(error) {
  return h("section", { class: "notice bad", role: "alert" },
    h("h1", {}, "This cannot be shown"), h("p", {}, error.message), h("p", {}, h("a", { href: "#/" }, "All runs")));
}
