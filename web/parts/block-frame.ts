/** A block as visitors see it, among what is written: HTML of the server in a frame of its own, in which no script runs. */
import { blank } from "./page-frame";
import { fill, parsed } from "./trusted";

/** `ask` is called when the frame comes into sight, and whenever `again` is; its answer is shown, or its refusal said. */
export function blockFrame(title: string, ask: () => Promise<string>, say: (error: unknown) => string): { dom: HTMLElement; again: () => void; close: () => void } {
  const dom = document.createElement("div");
  dom.className = "block-frame";
  const frame = document.createElement("iframe");
  frame.title = title;
  frame.tabIndex = -1;
  frame.setAttribute("sandbox", "allow-same-origin");
  const said = document.createElement("span");
  said.className = "block-frame-said";
  dom.append(frame, said);
  let content: HTMLElement | null = null;
  let seen = false;
  let closed = false;
  let turn = 0;
  const sizes = new ResizeObserver(() => content && (frame.style.height = `${Math.ceil(content.ownerDocument.documentElement.getBoundingClientRect().height)}px`));
  const again = () => {
    if (!seen || !content) return;
    const mine = ++turn;
    ask().then(
      (html) => {
        if (closed || mine !== turn) return;
        said.textContent = html.trim() ? "" : "Nothing is to be seen of it yet.";
        content?.replaceChildren(...parsed(html).childNodes);
      },
      (error: unknown) => !closed && mine === turn && (said.textContent = say(error)),
    );
  };
  frame.addEventListener("load", () => {
    content = frame.contentDocument?.querySelector<HTMLElement>(".content") ?? null;
    if (!content) return;
    content.ownerDocument.body.dataset["look"] = "tight";
    const theme = document.documentElement.dataset["theme"];
    if (theme) content.ownerDocument.documentElement.dataset["theme"] = theme;
    sizes.observe(content.ownerDocument.documentElement);
    again();
  });
  const watch = new IntersectionObserver((entries) => {
    if (seen || !entries.some((one) => one.isIntersecting)) return;
    seen = true;
    watch.disconnect();
    fill(frame, blank());
  }, { rootMargin: "400px" });
  watch.observe(dom);
  return {
    dom,
    again,
    close: () => {
      closed = true;
      watch.disconnect();
      sizes.disconnect();
    },
  };
}
