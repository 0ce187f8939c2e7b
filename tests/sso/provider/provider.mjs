// A certified provider of OpenID Connect with one client; its address is printed when it listens.
import { createServer } from "node:http";
import { Provider } from "oidc-provider";

const given = JSON.parse(process.argv[2]);
const server = createServer();
server.listen(0, "127.0.0.1", () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "octavo",
        client_secret: given.secret,
        redirect_uris: [given.redirect],
        post_logout_redirect_uris: [given.back],
        id_token_signed_response_alg: given.algorithm,
      },
    ],
    claims: { email: ["email", "email_verified"], profile: ["name"], openid: ["sub", "groups"] },
    conformIdTokenClaims: given.conform,
    pkce: { required: () => true },
    cookies: { keys: ["one"] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: given.email, email_verified: true, name: "Ada Lovelace", groups: ["writers"] }),
    }),
  });
  server.on("request", provider.callback());
  console.log(issuer);
});
