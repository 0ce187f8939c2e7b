/** Blocks of a page by their keys: HTML in which a comment `node <key>` stands ahead of each block becomes elements that know it. */

export type Block = { key: string; element: HTMLElement; words: string };
const MARK = /^node (\S+)$/;
const SHORT = 60;

/** Gives each block its key as `data-node`, takes the comments away, and lists the blocks in reading order. */
export function nodesOf(content: HTMLElement): Block[] {
  const found: Block[] = [];
  const marks: Comment[] = [];
  const walk = (node: Node) => {
    for (const child of node.childNodes) {
      if (child.nodeType === 8) marks.push(child as Comment);
      else if (child.nodeType === 1) walk(child);
    }
  };
  walk(content);
  for (const mark of marks) {
    const key = MARK.exec(mark.data)?.[1];
    const element = beside(mark);
    mark.remove();
    if (!key || !element || element.dataset["node"]) continue;
    element.dataset["node"] = key;
    const words = (element.textContent ?? "").trim().replace(/\s+/g, " ");
    found.push({ key, element, words: words.length > SHORT ? `${words.slice(0, SHORT)}…` : words });
  }
  return found;
}

/** The element that a mark stands ahead of; one that shows nothing has none. */
function beside(mark: Comment): HTMLElement | null {
  let next = mark.nextSibling;
  while (next && next.nodeType === 3 && !next.nodeValue?.trim()) next = next.nextSibling;
  return next?.nodeType === 1 ? (next as HTMLElement) : null;
}

/** The block that something of the page is in: parts of lists and tables belong to these. */
export function blockAt(content: HTMLElement, target: EventTarget | null): string | undefined {
  let found = (target as Element | null)?.closest?.<HTMLElement>("[data-node]") ?? null;
  for (let above = found?.parentElement?.closest<HTMLElement>("li, td, th, blockquote"); found && above && content.contains(above); above = found?.parentElement?.closest<HTMLElement>("li, td, th, blockquote"))
    found = above.closest<HTMLElement>("[data-node]");
  return found && content.contains(found) ? found.dataset["node"] : undefined;
}
