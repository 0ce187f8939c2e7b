// Copying: code, heading addresses and the page as Markdown; the wrap toggle of code.
const icons = document.getElementById("~ui-icons").content;
const icon = (name) => icons.querySelector(`[data-icon="${name}"] svg`).cloneNode(true);
const voice = Object.assign(document.createElement("p"), { className: "visually-hidden", role: "status" });
document.body.append(voice);

async function copy(text, button) {
  try { await navigator.clipboard.writeText(await text); } catch { voice.textContent = "Copying did not work"; return; }
  voice.textContent = "Copied";
  const before = button?.querySelector("svg");
  if (!before || button.dataset.done !== undefined) return;
  const done = icon("done");
  before.replaceWith(done);
  button.dataset.done = "";
  setTimeout(() => { done.replaceWith(before); delete button.dataset.done; voice.textContent = ""; }, 1600);
}
function action(label, name, run) {
  const button = document.createElement("button");
  button.type = "button";
  button.title = label;
  button.setAttribute("aria-label", label);
  button.append(icon(name));
  button.addEventListener("click", () => run(button));
  return button;
}

for (const frame of document.querySelectorAll(".code-block")) {
  const pre = frame.querySelector("pre"), text = pre.querySelector("code");
  const bar = document.createElement("div");
  bar.className = "code-actions";
  if (!pre.classList.contains("wrap") && pre.scrollWidth > pre.clientWidth + 1) {
    bar.append(action("Wrap long lines", "wrap", (button) => button.setAttribute("aria-pressed", pre.classList.toggle("wrap"))));
  }
  bar.append(action("Copy code", "copy", (button) => copy(text.textContent.replace(/\n$/, ""), button)));
  frame.append(bar);
  const lines = Number(frame.dataset.lines), all = text.querySelectorAll(".line").length;
  if (lines && all > lines + 1) {
    const more = Object.assign(document.createElement("button"), { type: "button", className: "code-more" });
    frame.style.setProperty("--lines", lines);
    const fold = (folded) => {
      frame.toggleAttribute("data-folded", folded);
      more.textContent = folded ? `Show all ${all} lines` : "Show fewer lines";
      more.setAttribute("aria-expanded", !folded);
    };
    more.addEventListener("click", () => fold(!frame.hasAttribute("data-folded")));
    frame.append(more);
    fold(true);
  }
}
addEventListener("click", (event) => {
  const anchor = event.target.closest(".anchor");
  if (anchor) copy(anchor.href, null);
  const page = event.target.closest("[data-copy-page]");
  if (page) copy(fetch(page.dataset.copyPage).then((reply) => (reply.ok ? reply.text() : Promise.reject(reply.status))), page);
});
