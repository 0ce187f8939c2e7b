/** The client of /v1: every path, body and answer has the type that our own OpenAPI document gives it. */
import createClient from "openapi-fetch";
import { LIVE } from "./live";
import type { components, paths } from "./made";
import { forget, token } from "./token";

export type Schemas = components["schemas"];

/** What the GET of a path answers, whatever the description calls it. */
export type Got<P extends keyof paths> = paths[P] extends { get: { responses: { 200: { content: { "application/json": infer Answer } } } } } ? Answer : never;

/** What the API refused: its status, and its sentence. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

async function authorized(request: Request): Promise<Response> {
  const again = request.clone();
  const answer = await sent(request);
  if (answer.status !== 401) return answer;
  forget();
  return sent(again);
}

const DRAFT = `/change-requests/${LIVE}/`;

/** What a change request does with content, primary content does by the same operations one word above. */
class Directed extends Request {
  constructor(asked: RequestInfo | URL, init?: RequestInit) {
    super(typeof asked === "string" ? asked.replace(DRAFT, "/") : asked, init);
  }
}

async function sent(request: Request): Promise<Response> {
  request.headers.set("authorization", `Bearer ${await token()}`);
  return fetch(request);
}

export const api = createClient<paths>({ baseUrl: location.origin, credentials: "omit", fetch: authorized, Request: Directed });

/** The answer, or the refusal as an exception. */
export async function must<T>(asked: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await asked;
  if (error !== undefined || !response.ok) throw refusal(response.status, error);
  return data as T;
}

/** The permission that is missing, in the API's word for it: who looks at a screen is told of roles. */
const NEEDS = / \(needs [\w.]+\)$/;

/** Which of several changes is refused: people see one, which they made. */
const CHANGE = /^changes\[\d+\]: /;

function refusal(status: number, body: unknown): Refusal {
  const said = (body as { error?: { message?: string } } | undefined)?.error?.message;
  // Bytes of a body are nothing that somebody typed.
  if (!said || (status === 413 && said.startsWith("the body "))) return new Refusal(status, unsaid(status));
  const words = said.replace(CHANGE, "").replace(NEEDS, "");
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return new Refusal(status, /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);
}

/** What a proxy on the way says by a number alone. */
export function unsaid(status: number): string {
  if (status === 413) return "That is more than the server takes at once. Send less of it.";
  return `The server answered ${status}. Try again in a moment.`;
}

/** The sentence of whatever went wrong. */
export function sentence(error: unknown): string {
  // Something on the way answered in the server's place, as the page of a network where one has to sign in.
  if (error instanceof SyntaxError) return "What answered was not Octavo. Check your connection, then try again; nothing that you typed is lost.";
  if (error instanceof TypeError) return "The server cannot be reached. Check your connection; nothing that you typed is lost.";
  return error instanceof Error ? error.message : String(error);
}

/** All entries of a list, page by page, up to `most`. */
export async function all<T>(
  ask: (page: string | undefined) => Promise<{ items: T[]; next?: { page: string } }>,
  most = 2000,
): Promise<T[]> {
  const found: T[] = [];
  let page: string | undefined;
  do {
    const part = await ask(page);
    found.push(...part.items);
    page = part.next?.page;
  } while (page && found.length < most);
  return found;
}
