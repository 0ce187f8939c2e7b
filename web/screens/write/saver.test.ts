import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Begun, Saver, type State } from "./saver";

/** A server of one page, whose answers come when the test says so; nobody else writes unless `others` does. */
class Server {
  texts = new Map([["r0", "Begun."]]);
  order = ["r0"];
  sent: { now: string; began: string; revision: string }[] = [];
  answers: { go: () => void; fail: (error: Error) => void }[] = [];
  /** What of it is waited for; anything else answers at once. */
  slow: ("head" | "send" | "read")[] = [];

  async #when<T>(what: "head" | "send" | "read", work: () => T): Promise<T> {
    if (!this.slow.includes(what)) return work();
    return new Promise((resolve, reject) => this.answers.push({ go: () => resolve(work()), fail: reject }));
  }

  others(text: string): void {
    const revision = `r${this.order.length}`;
    this.order.push(revision);
    this.texts.set(revision, text);
  }

  wire = {
    head: () => this.#when("head", () => this.order.at(-1)!),
    read: (revision: string) => this.#when("read", () => this.texts.get(revision)!),
    above: async (revision: string) => this.order[this.order.indexOf(revision) - 1]!,
    same: (a: string, b: string) => a === b,
    alike: (a: string, b: string) => a === b,
    send: (now: string, began: string, revision: string) => {
      this.sent.push({ now, began, revision });
      return this.#when("send", () => {
        const there = this.texts.get(this.order.at(-1)!)!;
        // What is there already is merged with itself: others' words beside it stay.
        if (!there.startsWith(now)) this.others(there.startsWith(began) ? now + there.slice(began.length) : now);
        return { revision: this.order.at(-1)!, conflict: false };
      });
    },
  };
}

let server: Server;
let text: string;
let said: State[];
let kept: { text: string; base: string; revision: string; sent?: string } | null;

function opened(begun: Partial<Begun<string>> = {}, arriving: () => Promise<unknown> | null = () => null): Saver<string> {
  const whole = { content: "Begun.", revision: "r0", base: "Begun.", stored: "Begun.", ...begun };
  text = whole.content;
  const held = { current: { content: () => text, mark: () => undefined, arriving, join: (sent: string, joined: string) => void (text = text.replace(sent, joined)) } };
  const failed = async (error: unknown): Promise<{ state: State; unheard: boolean }> =>
    String(error).includes("refused") ? { state: { kind: "refused", sentence: "No.", status: 403 }, unheard: false } : { state: { kind: "waiting" }, unheard: true };
  return new Saver(whole, held, {
    wire: server.wire,
    keep: async (now, base, revision, sent) => (kept = { text: now, base, revision, ...(sent === undefined ? {} : { sent }) }),
    drop: async () => (kept = null),
    failed,
    told: (state) => said.push(state),
    arrived: () => undefined,
  });
}

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  server = new Server();
  said = [];
  kept = null;
});
afterEach(() => void vi.useRealTimers());

function typed(saver: Saver<string>, words: string): void {
  text = words;
  saver.changed();
}

test("what is typed is sent after a rest, from what there was", async () => {
  const saver = opened();
  typed(saver, "Begun. One");
  await vi.advanceTimersByTimeAsync(300);
  expect([server.sent, kept]).toEqual([[], { text: "Begun. One", base: "Begun.", revision: "r0" }]);
  await vi.advanceTimersByTimeAsync(500);
  typed(saver, "Begun. One two.");
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.sent).toEqual([
    { now: "Begun. One", began: "Begun.", revision: "r0" },
    { now: "Begun. One two.", began: "Begun. One", revision: "r1" },
  ]);
  expect([said.at(-1), kept, saver.isOpen()]).toEqual([{ kind: "saved" }, null, false]);
});

test("who listens while somebody begins to type does not let a second save begin", async () => {
  const saver = opened();
  server.slow = ["head", "send"];
  const heard = saver.listen();
  typed(saver, "Begun. One");
  await vi.advanceTimersByTimeAsync(800);
  expect(server.sent.length).toBe(1);
  server.others("Begun. Others.");
  server.answers.shift()!.go(); // the head, asked for before
  await heard;
  typed(saver, "Begun. One two");
  await vi.advanceTimersByTimeAsync(3000);
  expect(server.sent.length).toBe(1);
  server.answers.shift()!.go();
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.sent.map((one) => one.now)).toEqual(["Begun. One", "Begun. One Others. two"]);
  expect(server.sent[1]!.revision).toBe("r2");
});

test("what others wrote comes in while nobody types, and only then", async () => {
  const saver = opened();
  server.others("Begun. Others.");
  await saver.listen();
  expect([text, saver.revision()]).toEqual(["Begun. Others.", "r1"]);
  server.others("Begun. Others again.");
  typed(saver, "Mine.");
  await saver.listen();
  expect(text).toBe("Mine.");
});

test("an answer about the head that comes late takes nobody back", async () => {
  const saver = opened();
  server.slow = ["head"];
  const heard = saver.listen();
  server.others("Begun. Others.");
  const late = server.answers.shift()!;
  typed(saver, "Begun. Mine.");
  await vi.advanceTimersByTimeAsync(800);
  late.go();
  await heard;
  expect([text, saver.revision()]).toEqual(["Begun. Mine. Others.", "r2"]);
});

test("who goes while a save is on its way has the last words sent too", async () => {
  const saver = opened();
  server.slow = ["send"];
  typed(saver, "Begun. One");
  await vi.advanceTimersByTimeAsync(800);
  typed(saver, "Begun. One and the last words.");
  const left = saver.left();
  await settled();
  expect(kept?.text).toBe("Begun. One and the last words.");
  server.answers.shift()!.go();
  await settled();
  server.answers.shift()!.go();
  await left;
  expect(server.texts.get(server.order.at(-1)!)).toBe("Begun. One and the last words.");
  expect(kept).toBe(null);
});

test("who goes while a file is on its way has it in the text that is sent", async () => {
  let stored = () => undefined as void;
  let coming: Promise<void> | null = new Promise((done) => (stored = done));
  const saver = opened({}, () => coming);
  typed(saver, "Begun. One");
  const left = saver.left();
  await settled();
  expect(server.texts.get(server.order.at(-1)!)).toBe("Begun. One");
  expect(saver.arriving()).not.toBe(null);
  typed(saver, "Begun. One picture.");
  coming = null;
  stored();
  await left;
  expect(server.texts.get(server.order.at(-1)!)).toBe("Begun. One picture.");
});

test("who goes without a connection keeps everything, and is not waited for", async () => {
  const saver = opened();
  server.slow = ["send"];
  typed(saver, "Begun. One");
  const left = saver.left();
  await settled();
  server.answers.shift()!.fail(new Error("away"));
  await left;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([kept?.text, server.sent.length, server.answers.length]).toEqual(["Begun. One", 1, 0]);
});

test("a save whose answer was lost is sent again as it was, and what was typed since goes after it", async () => {
  const saver = opened();
  server.slow = ["send"];
  typed(saver, "Begun. One");
  await vi.advanceTimersByTimeAsync(800);
  server.others("Begun. One. Others."); // it arrived, and somebody wrote
  typed(saver, "Begun. One two");
  server.slow = [];
  server.answers.shift()!.fail(new Error("away"));
  await settled();
  expect([said.at(-1), kept]).toEqual([{ kind: "waiting" }, { text: "Begun. One two", base: "Begun.", revision: "r0", sent: "Begun. One" }]);
  await vi.advanceTimersByTimeAsync(6000);
  expect(server.sent.slice(1)).toEqual([
    { now: "Begun. One", began: "Begun.", revision: "r0" },
    { now: "Begun. One. Others. two", began: "Begun. One. Others.", revision: "r1" },
  ]);
  expect([said.at(-1), text]).toEqual([{ kind: "saved" }, "Begun. One. Others. two"]);
});

test("one that did not arrive is sent again from where it began", async () => {
  const saver = opened();
  server.slow = ["send"];
  typed(saver, "Begun. One");
  await vi.advanceTimersByTimeAsync(800);
  server.slow = [];
  server.answers.shift()!.fail(new Error("away"));
  server.others("Begun. Others.");
  await vi.advanceTimersByTimeAsync(4100);
  expect(server.sent[1]).toEqual({ now: "Begun. One", began: "Begun.", revision: "r0" });
});

test("one that arrived and could not be read is read again, not sent; meanwhile it is kept from what it was typed into", async () => {
  const saver = opened();
  server.slow = ["read"];
  typed(saver, "Begun. One");
  await vi.advanceTimersByTimeAsync(800);
  typed(saver, "Begun. One two");
  server.answers.shift()!.fail(new Error("away"));
  await settled();
  expect(kept).toEqual({ text: "Begun. One two", base: "Begun.", revision: "r0", sent: "Begun. One" });
  server.slow = [];
  await vi.advanceTimersByTimeAsync(6000);
  expect(server.sent.map((one) => [one.now, one.revision])).toEqual([["Begun. One", "r0"], ["Begun. One two", "r1"]]);
  expect(said.at(-1)).toEqual({ kind: "saved" });
});

test("what is on its way is kept too, with nobody typing", async () => {
  const saver = opened();
  server.slow = ["send"];
  typed(saver, "Begun. One");
  await vi.advanceTimersByTimeAsync(800);
  kept = null;
  saver.store();
  await settled();
  expect([kept, saver.isOpen()]).toEqual([{ text: "Begun. One", base: "Begun.", revision: "r0", sent: "Begun. One" }, true]);
});

test("a refused text is written otherwise before it is sent again", async () => {
  const saver = opened();
  server.slow = ["send"];
  typed(saver, "Begun. Too long");
  await vi.advanceTimersByTimeAsync(800);
  server.slow = [];
  server.answers.shift()!.fail(new Error("refused"));
  await settled();
  typed(saver, "Begun. Short");
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.sent.map((one) => one.now)).toEqual(["Begun. Too long", "Begun. Short"]);
});

test("who cannot go on elsewhere goes on here", async () => {
  const saver = opened();
  typed(saver, "Begun. One");
  await saver.leave(async () => false);
  expect([saver.isOpen(), kept?.text]).toEqual([true, "Begun. One"]);
  expect(await saver.save()).toBe(true);
  typed(saver, "Begun. One two");
  await saver.leave(async () => true);
  expect([saver.isOpen(), server.sent.length]).toEqual([false, 1]);
});

test("an editor that is there again saves again", async () => {
  const saver = opened();
  await saver.left();
  saver.come();
  typed(saver, "Begun. One");
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.sent.length).toBe(1);
});

test("two who wait for everything do not send it at once", async () => {
  const saver = opened();
  server.slow = ["send"];
  typed(saver, "Begun. One");
  const both = [saver.flush(), saver.left()];
  await settled();
  expect(server.sent.length).toBe(1);
  server.answers.shift()!.go();
  expect((await Promise.all(both))[0]).toBe(true);
});

test("what cannot be brought in does not look as if it had been taken out", async () => {
  const saver = opened();
  server.others("Begun. Others.");
  const wire = vi.spyOn(server.wire, "same").mockImplementation(() => {
    throw new Error("no such place");
  });
  await saver.listen();
  wire.mockRestore();
  expect([text, saver.revision()]).toEqual(["Begun.", "r0"]);
  await saver.listen();
  expect([text, saver.revision()]).toEqual(["Begun. Others.", "r1"]);
});

test("what is behind a save waits for it", async () => {
  const saver = opened();
  server.slow = ["send"];
  typed(saver, "Begun. One");
  await vi.advanceTimersByTimeAsync(800);
  const flushed = saver.flush();
  server.answers.shift()!.go();
  expect(await flushed).toBe(true);
});

test("discarding what was typed before leaves what others wrote since", async () => {
  server.others("Begun. Others.");
  const saver = opened({ content: "Begun. Mine of before.", stored: "Begun. Others.", before: true });
  saver.changed();
  await vi.advanceTimersByTimeAsync(800);
  server.others("Begun. Mine of before. Others. Once more.");
  await saver.listen();
  expect(await saver.discard()).toBe(true);
  expect(server.sent.at(-1)).toEqual({ now: "Begun. Others.", began: "Begun. Mine of before. Others.", revision: "r2" });
});

test("discarding what never arrived, or changed nothing, takes nothing back on the server", async () => {
  const away = opened({ content: "Begun. Mine.", before: true });
  server.slow = ["send"];
  away.changed();
  await vi.advanceTimersByTimeAsync(800);
  server.answers.shift()!.fail(new Error("away"));
  await settled();
  expect(await away.discard()).toBe(false);
  server = new Server();
  server.others("Begun. Others.");
  const same = opened({ content: "Begun. Others.", stored: "Begun. Others.", before: true });
  same.changed();
  await vi.advanceTimersByTimeAsync(800);
  expect(await same.discard()).toBe(false);
  expect(server.texts.size).toBe(2);
});

test("what is refused is not tried again by itself", async () => {
  const saver = opened();
  server.slow = ["send"];
  typed(saver, "Begun. One");
  await vi.advanceTimersByTimeAsync(800);
  server.answers.shift()!.fail(new Error("refused"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([server.sent.length, kept?.text, said.at(-1)?.kind]).toEqual([1, "Begun. One", "refused"]);
});
