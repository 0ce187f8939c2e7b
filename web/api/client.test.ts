import { afterEach, expect, test, vi } from "vitest";
import { must, Refusal, sentence } from "./client";
import { token } from "./token";

const answered = (status: number, error: unknown) => must(Promise.resolve({ error, response: new Response(null, { status }) })).catch(sentence);

afterEach(() => vi.unstubAllGlobals());

test("what a proxy answers by a number alone is told in words, with what to do", async () => {
  expect(await answered(502, "<h1>Bad gateway</h1>")).toBe("The server answered 502. Try again in a moment.");
  expect(await answered(413, "<h1>Too large</h1>")).toBe("That is more than the server takes at once. Send less of it.");
  expect(await answered(413, { error: { message: "the body is larger than 1048576 bytes" } })).toBe("That is more than the server takes at once. Send less of it.");
  expect(await answered(403, { error: { message: "your role does not allow that (needs site.admin)" } })).toBe("Your role does not allow that.");
  expect(await answered(409, { error: { message: "changes[0]: the page is gone" } })).toBe("The page is gone.");
});

test("a page that answers in place of the server is not read out", async () => {
  const error = await new Response("<html>Sign in to this network</html>").json().catch((one: unknown) => one);
  expect(error).toBeInstanceOf(SyntaxError);
  expect(sentence(error)).toMatch(/^What answered was not Octavo\. Check your connection/);
  expect(sentence(new Refusal(403, "Your role does not allow that."))).toBe("Your role does not allow that.");
});

test("nobody is told of the token of the page when it is not to be had", async () => {
  vi.stubGlobal("fetch", () => Promise.resolve(new Response("busy", { status: 503 })));
  expect(await token().catch(sentence)).toBe("The server answered 503. Try again in a moment.");
});
