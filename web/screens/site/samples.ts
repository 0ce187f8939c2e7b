/** A log-in of visitors in three languages: each signs a token by HS256 and sends the visitor on with it. */

export const LANGUAGES = ["Node.js", "Python", "PHP"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A program that works as it stands, but for the key and for knowing who is there; `login` is the site's own address for it. */
export function sample(language: Language, site: string, claims: string): string {
  return { "Node.js": node, Python: python, PHP: php }[language](site.replace(/\/?$/, "/"), claims);
}

const node = (site: string, claims: string) => `// npm install jose
import { SignJWT } from "jose";

const key = new TextEncoder().encode(process.env.VISITOR_KEY);

// Express: the address that the site sends visitors to.
app.get("/docs-login", async (request, response) => {
  const token = await new SignJWT(${claims})
    .setProtectedHeader({ alg: "HS256" })
    .setIssuedAt()
    .setExpirationTime("2h")
    .sign(key);
  const to = new URL(String(request.query.location ?? "").replace(/^\\/+/, ""), "${site}");
  to.searchParams.set("jwt_token", token);
  response.redirect(to.href);
});
`;

const python = (site: string, claims: string) => `# pip install flask pyjwt
import os, time
from urllib.parse import urlencode

import jwt
from flask import Flask, redirect, request

app = Flask(__name__)

# The address that the site sends visitors to.
@app.get("/docs-login")
def login():
    claims = {**${claims.replace(/\btrue\b/g, "True").replace(/\bfalse\b/g, "False")}, "exp": int(time.time()) + 7200}
    token = jwt.encode(claims, os.environ["VISITOR_KEY"], algorithm="HS256")
    path = request.args.get("location", "").lstrip("/")
    return redirect("${site}" + path + "?" + urlencode({"jwt_token": token}))
`;

const php = (site: string, claims: string) => `<?php
// composer require firebase/php-jwt
require __DIR__ . '/vendor/autoload.php';

use Firebase\\JWT\\JWT;

// The address that the site sends visitors to.
$claims = json_decode('${claims}', true) + ['exp' => time() + 7200];
$token = JWT::encode($claims, getenv('VISITOR_KEY'), 'HS256');
$path = ltrim($_GET['location'] ?? '', '/');
header('Location: ${site}' . $path . '?' . http_build_query(['jwt_token' => $token]), true, 302);
`;
