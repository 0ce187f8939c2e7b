// An identity provider by samlify: one request on standard input, its answer on standard output.
const samlify = require("samlify");

// It asks for a validator of schemas; what it gets here is read by Octavo's own.
samlify.setSchemaValidator({ validate: async () => "skipped" });

async function main(given) {
  const template = samlify.SamlLib.defaultLoginResponseTemplate;
  const statement =
    '<saml:AuthnStatement AuthnInstant="{IssueInstant}"><saml:AuthnContext><saml:AuthnContextClassRef>' +
    "urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>";
  const idp = samlify.IdentityProvider({
    entityID: given.entity,
    privateKey: given.key,
    signingCert: given.certificate,
    wantAuthnRequestsSigned: false,
    nameIDFormat: ["urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"],
    singleSignOnService: [
      { Binding: "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect", Location: given.sso },
    ],
  });
  const sp = samlify.ServiceProvider({ metadata: given.metadata, wantMessageSigned: given.whole });
  const asked = await idp.parseLoginRequest(sp, "redirect", { query: given.query });
  const filled = (context) => {
    const now = new Date();
    const later = new Date(now.getTime() + 3600000).toISOString();
    const values = {
      ID: "_" + given.id,
      AssertionID: "_a" + given.id,
      Destination: asked.extract.request.assertionConsumerServiceUrl,
      Audience: sp.entityMeta.getEntityID(),
      SubjectRecipient: sp.entityMeta.getAssertionConsumerService("post"),
      Issuer: given.entity,
      IssueInstant: now.toISOString(),
      StatusCode: "urn:oasis:names:tc:SAML:2.0:status:Success",
      ConditionsNotBefore: now.toISOString(),
      ConditionsNotOnOrAfter: later,
      SubjectConfirmationDataNotOnOrAfter: later,
      NameIDFormat: "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress",
      NameID: given.email,
      InResponseTo: asked.extract.request.id,
      AttributeStatement: "",
    };
    const whole = context.replace("{AuthnStatement}", statement);
    return { id: values.ID, context: samlify.SamlLib.replaceTagsByValue(whole, values) };
  };
  const made = await idp.createLoginResponse(sp, asked, "post", { email: given.email }, filled);
  process.stdout.write(JSON.stringify({ SAMLResponse: made.context, to: made.entityEndpoint, issuer: asked.extract.issuer }));
}

let text = "";
process.stdin.on("data", (part) => (text += part));
process.stdin.on("end", () =>
  main(JSON.parse(text)).catch((error) => {
    process.stderr.write(String(error && error.stack ? error.stack : error));
    process.exit(1);
  }),
);
