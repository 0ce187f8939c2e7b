/** Blocks whose words are not what readers see: formulas, diagrams, what the server makes of a reference. The sight of it stands with the words. */
import type { Node } from "prosemirror-model";
import type { NodeViewConstructor } from "prosemirror-view";
import { toBlock } from "./document";
import { type Look, text } from "./look";
import type { Data } from "./schema";

const data = (node: Node): Data => node.attrs["data"] as Data;

/** Who types is not interrupted: what is shown follows after a rest. */
const REST = 300;

export function formulas(look: Look, display: boolean): NodeViewConstructor {
  return (node) => {
    const dom = document.createElement(display ? "div" : "span");
    dom.className = display ? "math" : "inline-node is-inline_math";
    let at = node;
    let closed = false;
    let shown: string | null = null;
    const draw = () => {
      const tex = text(data(at)["formula"]);
      if (tex === shown) return;
      shown = tex;
      // Until the server has set it, it is its source; an empty one is a place to click on.
      if (dom.childNodes.length === 0 || !tex.trim()) dom.textContent = tex.trim() || "Empty formula";
      if (!tex.trim()) return;
      void look.formula(tex, display).then(
        (made) => !closed && shown === tex && dom.replaceChildren(made),
        () => !closed && shown === tex && (dom.textContent = tex),
      );
    };
    draw();
    return {
      dom,
      update: (next) => {
        if (next.type !== at.type) return false;
        at = next;
        draw();
        return true;
      },
      ignoreMutation: () => true,
      destroy: () => void (closed = true),
    };
  };
}

/** A listing; one of Mermaid has its diagram below. */
export function diagrams(look: Look, listing: NodeViewConstructor, redrawn: Set<() => void>): NodeViewConstructor {
  return (node, view, place, ...more) => {
    const inner = listing(node, view, place, ...more);
    const dom = inner.dom as HTMLElement;
    let sight: HTMLElement | null = null;
    let timer = 0;
    let drawn: string | null = null;
    const show = (of: Node, rest: number) => {
      const wanted = text(data(of)["syntax"]).toLowerCase() === "mermaid";
      if (!wanted) {
        sight?.remove();
        sight = drawn = null;
        return;
      }
      if (!sight) {
        sight = document.createElement("div");
        sight.className = "diagram-sight";
        sight.contentEditable = "false";
        dom.append(sight);
      }
      const source = of.textContent;
      if (source === drawn) return;
      drawn = source;
      clearTimeout(timer);
      timer = window.setTimeout(() => void draw(source), rest);
    };
    const draw = async (source: string) => {
      if (!source.trim()) return sight?.replaceChildren();
      const made = await look.diagram(source);
      if (!sight || source !== drawn) return;
      const one = "image" in made ? Object.assign(document.createElement("img"), { src: made.image, alt: "Diagram", width: made.width, height: made.height, draggable: false }) : document.createElement("p");
      if ("error" in made) one.textContent = `Not drawn: ${made.error}`;
      sight.classList.toggle("wrong", "error" in made);
      sight.replaceChildren(one);
    };
    show(node, 0);
    // In the colours of a theme that may have become another one.
    const again = () => {
      if (drawn !== null) void draw(drawn);
    };
    redrawn.add(again);
    const update = inner.update?.bind(inner);
    const ignores = inner.ignoreMutation?.bind(inner);
    return Object.assign(inner, {
      update: (next: Node, ...rest: [never, never]) => {
        if (!update?.(next, ...rest)) return false;
        show(next, REST);
        return true;
      },
      ignoreMutation: (change: Parameters<NonNullable<typeof ignores>>[0]) => (sight?.contains(change.target) ? true : (ignores?.(change) ?? false)),
      destroy: () => {
        redrawn.delete(again);
        clearTimeout(timer);
        sight = null;
      },
    });
  };
}

/** A card that says what it is, and below it what readers see. */
export function previewed(look: Look, name: string, head: (node: Node) => (dom: HTMLElement) => void, drawn: Set<() => void>): NodeViewConstructor {
  return (node) => {
    const dom = document.createElement("div");
    dom.className = `${name} previewed`;
    const said = document.createElement("div");
    said.className = "card-head";
    let at = node;
    const sight = look.preview(toBlock(node));
    dom.append(said, sight.dom);
    const again = () => {
      said.replaceChildren();
      head(at)(said);
    };
    again();
    drawn.add(again);
    return {
      dom,
      update: (next) => {
        if (next.type !== at.type) return false;
        const same = next.attrs === at.attrs;
        at = next;
        if (!same) {
          again();
          sight.again(toBlock(next));
        }
        return true;
      },
      ignoreMutation: () => true,
      destroy: () => {
        sight.close();
        drawn.delete(again);
      },
    };
  };
}
