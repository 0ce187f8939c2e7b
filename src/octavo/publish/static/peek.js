// Notes show beside their word, and where a link of the site leads is shown after a while of pointing at it.
const card = Object.assign(document.createElement("div"), { className: "peek", popover: "manual", dir: "auto" });
const met = new Map();
let timer = 0, of = null;

async function meet(href) {
  const reply = await fetch(href);
  if (!reply.ok) return [];
  const page = new DOMParser().parseFromString(await reply.text(), "text/html");
  const text = (place) => page.querySelector(place)?.textContent.trim();
  const way = [...page.querySelectorAll(".breadcrumbs li")].map((one) => one.textContent.trim()).join(" › ");
  return [["small", way], ["b", text("h1")], ["p", text(".lede") ?? page.querySelector("meta[name=description]")?.content]].filter(([, said]) => said);
}
function place() {
  const box = of.getBoundingClientRect(), own = card.getBoundingClientRect();
  card.style.left = `${Math.max(12, Math.min(box.left, innerWidth - own.width - 12))}px`;
  card.style.top = `${box.bottom + own.height + 12 < innerHeight ? box.bottom + 8 : box.top - own.height - 8}px`;
}
function show(inside) {
  card.replaceChildren(...inside);
  document.body.append(card);
  card.showPopover();
  place();
}
function hide() {
  clearTimeout(timer);
  of = null;
  if (card.isConnected) card.hidePopover();
}
function noted(link) {
  const note = document.getElementById(link.hash.slice(1)).cloneNode(true);
  note.querySelector(".note-back").remove();
  show(note.childNodes);
}
function previewed(link) {
  const href = link.href.split("#")[0];
  timer = setTimeout(async () => {
    if (!met.has(href)) met.set(href, meet(href).catch(() => []));
    const said = await met.get(href);
    if (of === link && said.length) show(said.map(([tag, textContent]) => Object.assign(document.createElement(tag), { textContent })));
  }, 400);
}
function noteOf(target) {
  const word = target.closest?.(".annotated, .note-ref");
  return [word, (word?.matches(".annotated") ? word.nextElementSibling : word)?.querySelector("a")];
}
function over({ target, type, pointerType }) {
  if (pointerType === "touch" || !target.closest) return;
  clearTimeout(timer);
  if (card.contains(target)) return;
  const [word, note] = noteOf(target);
  const link = type === "pointerover" && target.closest(".content a[href]:not(.card-link, .content-ref, .button, .anchor, .file-link)");
  // A page of this site: neither a file nor a place on this page.
  const leads = link && link.host === location.host && link.pathname !== location.pathname && !link.href.includes("~octavo");
  const at = note ? word : leads ? link : null;
  if (!at && of) timer = setTimeout(hide, 200);
  if (!at || at === of) return;
  hide();
  of = at;
  if (note) noted(note); else previewed(link);
}
if (card.showPopover) {
  for (const what of ["pointerover", "focusin"]) addEventListener(what, over);
  // A finger cannot point: a tap shows the note, the next one elsewhere hides it.
  addEventListener("click", (event) => {
    if (event.pointerType !== "touch" || card.contains(event.target)) return;
    const [word, note] = noteOf(event.target);
    hide();
    if (!note) return;
    event.preventDefault();
    of = word;
    noted(note);
  });
  addEventListener("keydown", ({ key }) => { if (key === "Escape") hide(); });
  addEventListener("scroll", () => { if (of?.contains(document.activeElement)) place(); else hide(); }, { passive: true });
}
