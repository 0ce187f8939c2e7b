/** A formula as the server set it, made anew of elements that formulas consist of: nothing else of an answer comes in. */

const MATH = "http://www.w3.org/1998/Math/MathML";
const ELEMENTS = new Set("math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none".split(" "));
const ATTRIBUTES = new Set("accent accentunder columnalign depth display displaystyle form height linethickness lspace mathvariant maxsize minsize movablelimits notation rspace scriptlevel stretchy symmetric voffset width class".split(" "));
const DEEPEST = 200;

/** `found` is a `<math>` of an answer, or what stands for a formula that cannot be set. */
export function formula(found: Element): Element {
  if (found.localName === "math") return made(found, 0);
  const wrong = document.createElement("code");
  wrong.className = "math-error";
  wrong.textContent = found.textContent;
  wrong.title = found.getAttribute("title") ?? "";
  return wrong;
}

function made(of: Element, depth: number): Element {
  const one = document.createElementNS(MATH, of.localName);
  for (const { name, value } of of.attributes) if (ATTRIBUTES.has(name)) one.setAttribute(name, value);
  const style = of.getAttribute("style");
  // By the object model, as the policy of the page lets no attribute of style in.
  if (style && !/url|expression|@/i.test(style)) (one as unknown as ElementCSSInlineStyle).style.cssText = style;
  for (const child of of.childNodes) {
    if (child.nodeType === 3) one.append(child.textContent ?? "");
    else if (child.nodeType === 1 && ELEMENTS.has((child as Element).localName) && depth < DEEPEST) one.append(made(child as Element, depth + 1));
    else one.append(child.textContent ?? "");
  }
  return one;
}
