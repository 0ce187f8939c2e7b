/** What people write about content, drawn from its document: marks, links, lists, code; whatever else by its words. */
import { Fragment, type ReactNode } from "react";
import { emoji } from "./emoji";
import "./remark.css";

type Mark = { type: string };
export type Said = { object?: string; type?: string; data?: Record<string, unknown>; nodes?: Said[]; fragments?: Said[]; leaves?: { text: string; marks?: Mark[] }[] };
/** Whom or what a mention names. */
type Names = (ref: Record<string, unknown>) => string | undefined;

const WEB = /^(https?:|mailto:)/i;

export function Remark({ document, names }: { document: Said | undefined; names: Names }) {
  return <div className="remark">{many(document?.nodes, names)}</div>;
}

const many = (nodes: Said[] | undefined, names: Names): ReactNode => (nodes ?? []).map((one, at) => <Fragment key={at}>{drawn(one, names)}</Fragment>);

function drawn(node: Said, names: Names): ReactNode {
  if (node.leaves) return node.leaves.map((leaf, at) => <Fragment key={at}>{marked(leaf.text, leaf.marks ?? [])}</Fragment>);
  const below = many([...(node.fragments ?? []), ...(node.nodes ?? [])], names);
  const ref = node.data?.["ref"] as Record<string, unknown> | undefined;
  switch (node.type) {
    case "paragraph":
      return <p>{below}</p>;
    case "heading-1":
    case "heading-2":
    case "heading-3":
      return <p className="strong">{below}</p>;
    case "list-ordered":
      return <ol>{below}</ol>;
    case "list-unordered":
    case "list-tasks":
      return <ul>{below}</ul>;
    case "list-item":
      return <li>{typeof node.data?.["checked"] === "boolean" && <input type="checkbox" aria-label="Done" disabled checked={node.data["checked"]} />}{below}</li>;
    case "blockquote":
      return <blockquote>{below}</blockquote>;
    case "code":
      return <pre tabIndex={0}><code>{below}</code></pre>;
    case "code-line":
      return <>{below}{"\n"}</>;
    case "link":
      return typeof ref?.["url"] === "string" && WEB.test(ref["url"]) ? <a className="link" href={ref["url"]} target="_blank" rel="noopener noreferrer">{below}</a> : below;
    case "mention":
      return <span className="named">@{(ref && names(ref)) ?? "somebody"}</span>;
    case "emoji":
      return emoji(String(node.data?.["code"] ?? ""));
    default:
      return node.fragments?.length || node.nodes?.length ? below : told(node);
  }
}

/** What has neither words nor a form here is told by what it names. */
function told(node: Said): string {
  const ref = node.data?.["ref"] as Record<string, unknown> | undefined;
  const shown = node.data?.["alt"] ?? node.data?.["formula"] ?? node.data?.["url"] ?? ref?.["url"];
  return typeof shown === "string" ? shown : "";
}

const TAGS: Record<string, "strong" | "em" | "code" | "s"> = { bold: "strong", italic: "em", code: "code", strikethrough: "s" };

function marked(text: string, marks: Mark[]): ReactNode {
  return marks.reduce<ReactNode>((made, mark) => {
    const Tag = TAGS[mark.type];
    return Tag ? <Tag>{made}</Tag> : made;
  }, text);
}
