import { cleanup, render } from "@testing-library/react";
import { Suspense } from "react";
import { afterEach, expect, test, vi } from "vitest";
import { loadAhead, screen } from "./screen";

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a screen that nobody loaded is asked for when somebody is there", async () => {
  const load = vi.fn(async () => ({ default: () => <h1>Members</h1> }));
  const Members = screen(load);
  const shown = render(<Suspense fallback="Loading"><Members /></Suspense>);
  expect(shown.container.textContent).toBe("Loading");
  expect((await shown.findByRole("heading")).textContent).toBe("Members");
  expect(load).toHaveBeenCalledOnce();
});

test("screens come one after another once the first one had its time, and are then there at once", async () => {
  vi.useFakeTimers();
  const fails = vi.fn(async () => Promise.reject(new Error("no connection")));
  const load = vi.fn(async () => ({ default: () => <h1>Members</h1> }));
  screen(fails);
  const Members = screen(load);
  loadAhead();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(fails).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(fails).toHaveBeenCalledOnce();
  expect(load).toHaveBeenCalledOnce();
  const shown = render(<Suspense fallback="Loading"><Members /></Suspense>);
  expect(shown.container.textContent).toBe("Members");
});

test("while something moves no screen is loaded, and once that rests they are", async () => {
  vi.useFakeTimers();
  let left = 8;
  vi.stubGlobal("requestIdleCallback", (work: (rest: { timeRemaining: () => number }) => void) => setTimeout(() => work({ timeRemaining: () => left }), 1));
  const load = vi.fn(async () => ({ default: () => <h1>Members</h1> }));
  loadAhead();
  screen(load);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(load).not.toHaveBeenCalled();
  left = 49;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(load).toHaveBeenCalledOnce();
});
