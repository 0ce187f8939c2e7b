// Pictures of the text open in full size in a dialog.
let dialog = null;

function open(image) {
  dialog ??= document.body.appendChild(Object.assign(document.createElement("dialog"), { className: "zoom" }));
  dialog.setAttribute("aria-label", image.alt || "Picture");
  const large = Object.assign(document.createElement("img"), { src: image.currentSrc || image.src, alt: image.alt });
  const close = Object.assign(document.createElement("button"), { type: "button", className: "icon-button", ariaLabel: "Close" });
  close.append(document.getElementById("~ui-icons").content.querySelector('[data-icon="close"] svg').cloneNode(true));
  dialog.replaceChildren(large, close);
  dialog.onclick = () => dialog.close();
  dialog.showModal();
}
for (const image of document.querySelectorAll(".content img[data-zoom]")) {
  if (image.closest("a, .card, summary")) continue;
  image.classList.add("zoomable");
  image.tabIndex = 0;
  image.role = "button";
  image.setAttribute("aria-label", `${image.alt || "Picture"}, enlarge`);
  image.addEventListener("click", () => open(image));
  image.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); open(image); } });
}
