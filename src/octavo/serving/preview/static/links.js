// The list of broken links follows what changes.
let version = null;
const events = new EventSource(new URL("events", import.meta.url));
events.addEventListener("message", (told) => {
  if (version !== null && version !== told.data) location.reload();
  version = told.data;
});
addEventListener("pagehide", () => events.close());
