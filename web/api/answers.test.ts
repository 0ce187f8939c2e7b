import { QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { Answers } from "./answers";

/** A server whose answers come when the test says so; each tells what was true when it was asked. */
class Server {
  now = "before";
  waiting: (() => void)[] = [];
  asked = 0;

  ask = () => {
    const said = this.now;
    this.asked += 1;
    return new Promise<string>((resolve) => this.waiting.push(() => resolve(said)));
  };

  /** All that wait are answered, and whoever heard it has done what she does then. */
  async answer(): Promise<void> {
    for (const go of this.waiting.splice(0)) go();
    await new Promise((done) => setTimeout(done));
  }
}

function screen(answers: Answers, server: Server, name = "reviews") {
  const seen = new QueryObserver(answers, { queryKey: ["request", name], queryFn: server.ask, retry: false });
  const close = seen.subscribe(() => undefined);
  return { seen: () => seen.getCurrentResult().data, close };
}

test("what was done while the first answer was on its way is seen", async () => {
  const [answers, server] = [new Answers(), new Server()];
  const reviews = screen(answers, server);
  server.now = "after";
  const told = answers.invalidateQueries({ queryKey: ["request"] });
  await server.answer();
  expect(reviews.seen()).toBe("before");
  await server.answer();
  await told;
  expect(reviews.seen()).toBe("after");
  expect(server.asked).toBe(2);
  reviews.close();
});

test("what was answered before is asked once, and others not at all", async () => {
  const [answers, server, other] = [new Answers(), new Server(), new Server()];
  const screens = [screen(answers, server), screen(answers, other, "comments")];
  await server.answer();
  server.now = "after";
  const told = answers.invalidateQueries({ queryKey: ["request", "reviews"] });
  await server.answer();
  await told;
  expect(screens[0]?.seen()).toBe("after");
  expect([server.asked, other.asked]).toEqual([2, 1]);
  await other.answer();
  for (const one of screens) one.close();
});
