// Of the kind that lets visitors into a site: a page that asks, and a signed token for who answers well.
import { createIntegration } from "@gitbook/runtime";

const base64 = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const json = (value) => base64(new TextEncoder().encode(JSON.stringify(value)));

async function token(key, claims) {
  const said = `${json({ alg: "HS256", typ: "JWT" })}.${json(claims)}`;
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const signing = await crypto.subtle.importKey("raw", encoder.encode(key), algorithm, false, ["sign"]);
  return `${said}.${base64(new Uint8Array(await crypto.subtle.sign("HMAC", signing, encoder.encode(said))))}`;
}

export default createIntegration({
  fetch_visitor_authentication: async (event, { environment }) => {
    const door = new URL(`${environment.siteInstallation.urls.publicEndpoint}/door`);
    door.searchParams.set("location", event.location ?? "/");
    return Response.redirect(door.href);
  },
  fetch: async (request, { environment, api }) => {
    const { siteInstallation, installation, secrets } = environment;
    const at = new URL(request.url);
    if (!at.pathname.endsWith("/door") || !siteInstallation) return new Response("Nothing here", { status: 404 });
    if (request.method === "GET") {
      const form = '<form method="post"><input name="password" type="password"><button>Come in</button></form>';
      return new Response(`<!doctype html>${form}`, { headers: { "content-type": "text/html" } });
    }
    const said = new URLSearchParams(await request.text());
    if (said.get("password") !== secrets.PASSWORD) return new Response("No", { status: 401 });
    const { data: site } = await api.orgs.getSiteById(installation.target.organization, siteInstallation.site);
    const word = await token(environment.signingSecrets.siteInstallation, { exp: Math.floor(Date.now() / 1000) + 3600 });
    const back = new URL(at.searchParams.get("location").slice(1), site.urls.published);
    back.searchParams.set("jwt_token", word);
    return Response.redirect(back.href);
  },
});
