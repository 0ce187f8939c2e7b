/** Formulas as the server sets them: those that are asked for in one moment are one question, and each is asked once. */
import type { Json } from "../../editor/visual/model";
import { formula } from "../../parts/formula";
import { parsed } from "../../parts/trusted";

const TOGETHER = 40;
const MOST = 100;

type Waiting = { tex: string; display: boolean; tell: (found: Element) => void; fail: (error: unknown) => void };

export function formulas(shows: (nodes: Json[]) => Promise<string>): (tex: string, display: boolean) => Promise<Element> {
  const known = new Map<string, Promise<Element>>();
  let waiting: Waiting[] = [];
  const send = () => {
    const all = waiting;
    waiting = [];
    for (let from = 0; from < all.length; from += MOST) void ask(all.slice(from, from + MOST), shows);
  };
  return (tex, display) => {
    const key = `${display ? "$$" : "$"}${tex}`;
    let found = known.get(key);
    if (!found) {
      found = new Promise((tell, fail) => {
        if (waiting.length === 0) setTimeout(send, TOGETHER);
        waiting.push({ tex, display, tell, fail });
      });
      known.set(key, found);
      // What could not be asked is asked again when it is needed again.
      found.catch(() => known.delete(key));
    }
    return found.then((made) => made.cloneNode(true) as Element);
  };
}

async function ask(list: Waiting[], shows: (nodes: Json[]) => Promise<string>): Promise<void> {
  try {
    // Each in a quote of its own, so that it is known which of the answer is whose.
    const body = parsed(await shows(list.map(quoted)));
    const places = [...body.children].filter((one) => one.localName === "blockquote");
    list.forEach((one, at) => {
      const made = places[at]?.querySelector("math, .math-error");
      if (made) one.tell(formula(made));
      else one.fail(new Error("The formula was not set."));
    });
  } catch (error) {
    for (const one of list) one.fail(error);
  }
}

function quoted({ tex, display }: Waiting): Json {
  const within: Json = display
    ? { object: "block", type: "math", isVoid: true, data: { formula: tex } }
    : { object: "block", type: "paragraph", data: {}, isVoid: false, nodes: [{ object: "inline", type: "inline-math", data: { formula: tex }, isVoid: true }] };
  return { object: "block", type: "blockquote", data: {}, isVoid: false, nodes: [within] };
}
