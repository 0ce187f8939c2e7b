/** The one policy of Trusted Types: HTML that the server rendered goes into a frame in which no script runs, nowhere else. */

type Policy = { createHTML: (html: string) => string };
type Factory = { createPolicy: (name: string, rules: { createHTML: (html: string) => string }) => Policy };

const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
const policy = factory?.createPolicy("octavo", { createHTML: (html) => html });

/** Fill a frame. It must be sandboxed without `allow-scripts`: that nothing of content runs hangs on this. */
export function fill(frame: HTMLIFrameElement, html: string): void {
  const allowed = [...frame.sandbox];
  if (!frame.hasAttribute("sandbox") || allowed.some((word) => word !== "allow-same-origin")) throw new Error("the frame must be sandboxed");
  frame.srcdoc = policy ? policy.createHTML(html) : html;
}

/** HTML of the server as the body of a document that is never shown: nothing in it runs or is loaded. Its nodes go into a
 * document that a frame of `fill` holds, and nowhere else. */
export function parsed(html: string): HTMLElement {
  const text = policy ? policy.createHTML(html) : html;
  return new DOMParser().parseFromString(text, "text/html").body;
}

let reads = false;

/** Let `work` read HTML that was pasted: it goes into a document of its own that is never shown, in which nothing runs and nothing
 * is loaded, and of which the editor takes what its schema knows. */
export function whileReading(work: () => void): void {
  reads = true;
  try {
    work();
  } finally {
    reads = false;
  }
}

/** Libraries empty elements by `innerHTML = ""`. That is allowed, and no other text but what is pasted. */
export function allowEmptying(): void {
  factory?.createPolicy("default", {
    createHTML: (html) => {
      if (html === "" || reads) return html;
      throw new TypeError("HTML is not inserted here");
    },
  });
}
