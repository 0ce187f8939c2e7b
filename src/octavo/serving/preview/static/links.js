// The list of broken links follows what changes.
const known = document.querySelector("script[data-told]").dataset.told;
const events = new EventSource(new URL("events", import.meta.url));
events.addEventListener("message", (told) => {
  // What was told between the page and this stream is told first.
  if (told.data !== known) location.reload();
});
addEventListener("pagehide", () => events.close());
