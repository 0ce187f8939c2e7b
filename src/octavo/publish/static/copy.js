// Copying: code, heading addresses and the page as Markdown; the wrap toggle of code.
const icons = document.getElementById("~ui-icons").content;
const icon = (name) => icons.querySelector(`[data-icon="${name}"] svg`).cloneNode(true);
const voice = Object.assign(document.createElement("p"), { className: "visually-hidden", role: "status" });
document.body.append(voice);

async function copy(text, button) {
  const plain = Promise.resolve(text).then((words) => new Blob([words], { type: "text/plain" }));
  // Handed over as a promise: some browsers forget the click while a text is still being fetched.
  try { await navigator.clipboard.write([new ClipboardItem({ "text/plain": plain })]); } catch { voice.textContent = words.copyFailed; return; }
  voice.textContent = words.copied;
  if (button.dataset.done !== undefined) return;
  const before = button.querySelector("svg"), done = icon("done");
  before?.replaceWith(done);
  button.dataset.done = "";
  setTimeout(() => { done.replaceWith(before ?? ""); delete button.dataset.done; voice.textContent = ""; }, 1600);
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

function furnish(frame) {
  const pre = frame.querySelector("pre"), text = pre.querySelector("code");
  const bar = document.createElement("div");
  bar.className = "code-actions";
  if (frame.dataset.language) bar.dataset.language = frame.dataset.language;
  if (!pre.classList.contains("wrap")) {
    const wrap = action(words.wrapLines, "wrap", () => wrap.setAttribute("aria-pressed", pre.classList.toggle("wrap")));
    wrap.className = "code-wrap";
    bar.append(wrap);
  }
  bar.append(action(words.copyCode, "copy", (button) => copy(text.textContent.replace(/\n$/, ""), button)));
  frame.append(bar);
}
function shorten(frame) {
  const lines = Number(frame.dataset.lines), all = frame.querySelectorAll(".line").length;
  if (all <= lines + 1) return;
  const more = Object.assign(document.createElement("button"), { type: "button", className: "code-more" });
  frame.style.setProperty("--lines", lines);
  const fold = (folded) => {
    frame.toggleAttribute("data-folded", folded);
    more.textContent = folded ? words.showAll.replace("{count}", all) : words.showFewer;
    more.setAttribute("aria-expanded", !folded);
  };
  more.addEventListener("click", () => fold(!frame.hasAttribute("data-folded")));
  frame.append(more);
  fold(true);
}

// A long page has hundreds of listings: each gets its buttons when it comes near.
const near = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) if (isIntersecting) { near.unobserve(target); furnish(target); }
}, { rootMargin: "600px" });
for (const frame of document.querySelectorAll(".code-block")) {
  near.observe(frame);
  if (frame.dataset.lines) shorten(frame);
}
addEventListener("click", (event) => {
  const anchor = event.target.closest(".anchor");
  if (anchor) copy(anchor.href, anchor);
  const said = event.target.closest("[data-copy],[data-copy-page]"), page = said?.dataset.copyPage;
  if (said) copy(page ? fetch(page).then((reply) => (reply.ok ? reply.text() : Promise.reject(reply.status))) : said.dataset.copy, said);
});
