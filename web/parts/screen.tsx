/** Screens whose code comes when somebody is there, or sooner, while the browser has nothing else to do. */
import { type ComponentType, lazy, useState } from "react";

/** Milliseconds that the first screen has the browser for itself. */
const LATER = 2_000;
const waiting: (() => Promise<unknown>)[] = [];
let begun = false;
let busy = false;

/** A component from the module that has it as its default. */
export function screen<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let here: ComponentType<P> | undefined;
  const get = () => load().then((code) => ((here = code.default), code));
  const Later = lazy(get);
  waiting.push(get);
  next();
  return function Screen(props: P) {
    // React shows what stands in for a lazy component even where its code is there, and then holds the screen back for 300 ms.
    const [Shown] = useState<ComponentType<P>>(() => here ?? Later);
    return <Shown {...props} />;
  };
}

/** From now on, load one screen after another, unless whoever looks saves data. */
export function loadAhead() {
  const saves = "connection" in navigator && (navigator.connection as { saveData?: boolean }).saveData;
  if (saves) return;
  setTimeout(() => {
    begun = true;
    next();
  }, LATER);
}

function next() {
  if (!begun || busy) return;
  const load = waiting.shift();
  if (!load) return;
  busy = true;
  // What does not arrive is asked for again by whoever goes there.
  rested(() => void load().catch(() => undefined).then(() => {
    busy = false;
    next();
  }));
}

/** Between two frames of what moves, such as a tree that is scrolled, there are less than 17 ms of rest, and the code of a screen takes more. */
const RESTED = 20;

function rested(work: () => void) {
  if (!window.requestIdleCallback) setTimeout(work, 50);
  else window.requestIdleCallback((rest) => (rest.timeRemaining() > RESTED ? work() : setTimeout(() => rested(work), 200)));
}
