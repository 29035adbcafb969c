// Elements are made one by one and texts are text nodes: nothing that was read is ever parsed as HTML.
const SVG = "http://www.w3.org/2000/svg";
const SVG_TAGS = new Set(["svg", "rect", "line", "path", "g", "title", "pattern", "defs"]);

/** Make an element: h("a", { href, class, onclick }, "text", child, [more]). Null and false children are left out. */
export function h(tag, props = {}, ...children) {
  const svg = SVG_TAGS.has(tag);
  const element = svg ? document.createElementNS(SVG, tag) : document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name.startsWith("--")) element.style.setProperty(name, value);
    else if (!svg && name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  add(element, children);
  return element;
}

/** Append children: nodes, texts, numbers, lists of these. */
export function add(parent, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
  return parent;
}

/** Say something to screen readers. */
export function say(text) {
  document.getElementById("said").textContent = text;
}
