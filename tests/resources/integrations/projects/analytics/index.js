// Of the kind that puts an analytics script on pages: configured for each site.
import { createIntegration } from "@gitbook/runtime";

const SCRIPT = `(function (id) {
  navigator.sendBeacon("https://count.example/" + encodeURIComponent(id), location.pathname);
})("<id>");`;

export default createIntegration({
  fetch_published_script: async (event, { environment }) => {
    const id = environment.siteInstallation?.configuration.tracking_id;
    if (!id) return;
    return new Response(SCRIPT.replace("<id>", id), {
      headers: { "content-type": "application/javascript", "cache-control": "max-age=604800" },
    });
  },
});
