// The question at a page's foot is answered in its place: what the page says that follows the form stands there then.
addEventListener("submit", async (event) => {
  const box = event.target.closest("[data-feedback]"), button = event.submitter;
  if (!box || !button) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(event.target));
  fields.set(button.name, button.value);
  box.setAttribute("aria-busy", true);
  try {
    const reply = await fetch(event.target.action, { method: "POST", body: fields });
    const next = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("[data-feedback]");
    next.tabIndex = -1;
    box.replaceWith(next);
    next.focus({ preventScroll: true });
  } catch {
    // Whatever is wrong, the form itself brings the page that says so.
    event.target.append(Object.assign(document.createElement("input"), { type: "hidden", name: button.name, value: button.value }));
    event.target.submit();
  }
});
