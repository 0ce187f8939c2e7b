/** Documents as plain words: what a block says, and what kind of block it is, for lists and comparisons. */

export type Node = {
  object?: string;
  type?: string;
  data?: Record<string, unknown>;
  nodes?: Node[];
  fragments?: Node[];
  leaves?: { text: string }[];
};

export function plain(node: Node | undefined): string {
  if (!node) return "";
  if (node.leaves) return node.leaves.map((leaf) => leaf.text).join("");
  const inside = [...(node.fragments ?? []), ...(node.nodes ?? [])];
  const block = inside.some((one) => one.object === "block" || one.object === "fragment");
  const words = inside.map(plain).filter((text) => text !== "");
  const said = words.join(block ? "\n" : "");
  return said || named(node);
}

/** What has no words is told by what it shows. */
function named(node: Node): string {
  const ref = node.data?.["ref"] as Record<string, unknown> | undefined;
  const shown = node.data?.["title"] ?? node.data?.["alt"] ?? node.data?.["url"] ?? node.data?.["formula"] ?? ref?.["url"];
  return typeof shown === "string" ? shown : "";
}

const KINDS: Record<string, string> = {
  "heading-1": "heading",
  "heading-2": "heading",
  "heading-3": "heading",
  "list-unordered": "list",
  "list-ordered": "list",
  "list-tasks": "task list",
  "code-line": "line of code",
  "openapi-operation": "API operation",
};

export function kind(node: Node | undefined): string {
  const type = node?.type ?? "block";
  return KINDS[type] ?? type.replaceAll("-", " ");
}
