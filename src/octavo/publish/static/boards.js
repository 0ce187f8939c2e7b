// Buttons of integrations' blocks: the block is as its script draws it anew.
const failed = document.getElementById("~boards").dataset.failed;
const ready = (within) => { for (const one of within.querySelectorAll("[data-press]")) one.hidden = false; };
for (const one of document.querySelectorAll("[data-token]")) ready(one);

addEventListener("click", async (event) => {
  const button = event.target.closest("[data-press]"), box = button?.closest("[data-token]");
  if (!box || box.ariaBusy === "true") return;
  box.ariaBusy = "true";
  for (const one of box.querySelectorAll("[data-press]")) one.disabled = true;
  box.querySelector(":scope > [role=alert]")?.remove();
  try {
    const body = new URLSearchParams({ token: box.dataset.token, press: button.dataset.press });
    const reply = await fetch(box.dataset.to, { method: "POST", body });
    if (!reply.ok) throw new Error(await reply.text());
    if (reply.status !== 204) {
      const next = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector(".integration");
      ready(next);
      next.tabIndex = -1;
      box.replaceWith(next);
      next.focus({ preventScroll: true });
      return;
    }
  } catch {
    const said = Object.assign(document.createElement("p"), { textContent: failed });
    said.setAttribute("role", "alert");
    box.append(said);
  }
  box.ariaBusy = "false";
  for (const one of box.querySelectorAll("[data-press]")) one.disabled = false;
});
