// Pictures that are larger than the text shows them open in a dialog.
let dialog = null;

function open(image) {
  dialog ??= document.body.appendChild(Object.assign(document.createElement("dialog"), { className: "zoom" }));
  dialog.setAttribute("aria-label", image.alt || words.picture);
  const large = Object.assign(document.createElement("img"), { src: image.currentSrc || image.src, alt: image.alt });
  const close = Object.assign(document.createElement("button"), { type: "button", className: "icon-button", ariaLabel: words.close });
  close.append(document.getElementById("~ui-icons").content.querySelector('[data-icon="close"] svg').cloneNode(true));
  const caption = image.closest("figure")?.querySelector("figcaption");
  dialog.replaceChildren(large, ...(caption ? [Object.assign(document.createElement("p"), { textContent: caption.textContent })] : []), close);
  // The picture grows from where it stands in the text, and goes back there.
  const grow = (from, to, change) => {
    if (!document.startViewTransition || matchMedia("(prefers-reduced-motion: reduce)").matches) return change();
    from.style.viewTransitionName = "zoom";
    document.startViewTransition(() => {
      from.style.viewTransitionName = "";
      to.style.viewTransitionName = "zoom";
      change();
    }).finished.finally(() => { to.style.viewTransitionName = ""; });
  };
  const shut = () => grow(large, image, () => dialog.close());
  dialog.onclick = shut;
  dialog.oncancel = (event) => { event.preventDefault(); shut(); };
  grow(image, large, () => dialog.showModal());
}
function offer(image) {
  if (image.naturalWidth < image.clientWidth * 1.1 || image.role) return;
  image.classList.add("zoomable");
  image.tabIndex = 0;
  image.role = "button";
  image.setAttribute("aria-label", words.enlarge.replace("{name}", () => image.alt || words.picture));
  image.addEventListener("click", () => open(image));
  image.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(image); } });
}
for (const image of document.querySelectorAll(".content img[data-zoom]")) {
  if (image.closest("a, .card, summary")) continue;
  if (image.complete) offer(image);
  image.addEventListener("load", () => offer(image));
}
