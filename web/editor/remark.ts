/** The Markdown of a short document, as descriptions are: what it writes is read as the same again; null for what it cannot write. */
import type { Node } from "./plain";

type Leaf = { text: string; marks?: { type: string }[] };
const SIGNS: Record<string, string> = { bold: "**", italic: "*", code: "`", strikethrough: "~~" };

export function remark(document: Node | undefined): string | null {
  try {
    return blocks(document?.nodes ?? []);
  } catch {
    return null;
  }
}

const blocks = (nodes: Node[]): string => nodes.map(block).join("\n\n");

function block(node: Node): string {
  const below = node.nodes ?? [];
  switch (node.type) {
    case "paragraph":
      return line(below).replace(/^(\s*)([#>+-]|\d+[.)])(?=\s|$)/gm, (_, room: string, sign: string) => `${room}${sign.slice(0, -1)}\\${sign.slice(-1)}`);
    case "heading-1":
    case "heading-2":
    case "heading-3":
      return `${"#".repeat(Number(node.type.at(-1)) + 1)} ${line(below)}`;
    case "blockquote":
      return indented(blocks(below), "> ", "> ");
    case "code": {
      const text = below.map((one) => line(one.nodes ?? [], true)).join("\n");
      const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map((one) => one[0].length + 1)));
      return `${fence}${String(node.data?.["syntax"] ?? "")}\n${text}\n${fence}`;
    }
    case "list-unordered":
    case "list-tasks":
      return below.map((one) => item(one, typeof one.data?.["checked"] === "boolean" ? `* [${one.data["checked"] ? "x" : " "}] ` : "* ", "  ")).join("\n");
    case "list-ordered":
      return below.map((one, at) => item(one, `${at + Number(node.data?.["start"] ?? 1)}. `, "   ")).join("\n");
    default:
      throw new Error("not written here");
  }
}

const item = (node: Node, sign: string, room: string): string => indented((node.nodes ?? []).map(block).join(tight(node) ? "\n" : "\n\n"), sign, room);
/** An item with one paragraph, and lists below it. */
const tight = (node: Node): boolean => (node.nodes ?? []).slice(1).every((one) => one.type?.startsWith("list-"));
const indented = (text: string, first: string, rest: string): string => text.split("\n").map((one, at) => (at === 0 ? first : one || rest === "> " ? rest : "") + one).join("\n");

function line(nodes: Node[], raw = false): string {
  return nodes
    .map((node) => {
      if (node.leaves) return node.leaves.map((leaf) => (raw ? leaf.text : marked(leaf as Leaf))).join("");
      const ref = node.data?.["ref"] as Record<string, unknown> | undefined;
      if (node.type === "link" && typeof ref?.["url"] === "string") return `[${line(node.nodes ?? [])}](${ref["url"]})`;
      if (node.type === "mention" && typeof ref?.["user"] === "string") return `[@](/users/${ref["user"]} "mention")`;
      throw new Error("not written here");
    })
    .join("");
}

function marked(leaf: Leaf): string {
  const types = (leaf.marks ?? []).map((one) => one.type);
  if (types.some((one) => !SIGNS[one])) throw new Error("not written here");
  const code = types.includes("code");
  if (code && leaf.text.includes("`")) throw new Error("not written here");
  const [, before, text, after] = /^(\s*)([\s\S]*?)(\s*)$/.exec(leaf.text)!;
  if (!text) return leaf.text;
  const inside = code ? text : text.replace(/[\\`*_[\]<>~$|&]/g, "\\$&").replace(/\n/g, "\\\n");
  const around = [...types.filter((one) => one !== "code"), ...(code ? ["code"] : [])].map((one) => SIGNS[one]!);
  return before + around.join("") + inside + around.reverse().join("") + after;
}
