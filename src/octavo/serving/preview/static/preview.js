// A page of a preview follows what it was made of, and says what is wrong with it.
const own = document.querySelector("script[data-page]");
const place = new URL(".", own.src);

const badge = document.createElement("a");
badge.className = "preview-badge";
badge.href = new URL("links", place);
badge.setAttribute("role", "status");
badge.hidden = true;
document.body.append(badge);

const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
function show({ links, others, error }) {
  const said = [error ? "Not read" : "", links ? counted(links, "broken link") : "", others ? counted(others, "warning") : ""];
  badge.textContent = said.filter(Boolean).join(", ");
  badge.hidden = badge.textContent === "";
  badge.classList.toggle("preview-fails", Boolean(error));
  badge.title = error ?? "";
}

let going = false;
async function follow() {
  const answer = await fetch(location.href, { method: "HEAD", headers: { accept: "text/html" }, cache: "no-store" });
  const page = answer.headers.get("x-octavo-page");
  // The browser keeps where it was scrolled to.
  if (page !== null && page !== own.dataset.page && !going) {
    going = true;
    location.reload();
  }
}

// Only a tab that is looked at listens: browsers hold few connections to one host.
let events = null;
function listen() {
  if (document.hidden) {
    events?.close();
    events = null;
  } else if (events === null) {
    events = new EventSource(new URL("events", place));
    events.addEventListener("message", (told) => {
      show(JSON.parse(told.data));
      follow().catch(() => { /* the preview was stopped; the stream tells when it is there again */ });
    });
  }
}
document.addEventListener("visibilitychange", listen);
addEventListener("pagehide", () => events?.close());
addEventListener("pageshow", (shown) => { if (shown.persisted) { events = null; listen(); } });
listen();
