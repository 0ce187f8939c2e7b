/** Short words at the edge of the screen about what was just done; heard as well as seen. */
import { useSyncExternalStore } from "react";
import { X } from "lucide-react";
import { Button } from "./button";
import "./toast.css";

type Toast = { id: number; words: string; tone: "neutral" | "danger"; undo?: () => void };

const LASTS = 6000;
let shown: readonly Toast[] = [];
let last = 0;
const watching = new Set<() => void>();

/** Say it. What can be undone offers that; what went wrong stays until it is closed. */
export function toast(words: string, options: { tone?: Toast["tone"]; undo?: () => void } = {}): void {
  const one: Toast = { id: ++last, words, tone: options.tone ?? "neutral", undo: options.undo };
  change([...shown.slice(-1), one]);
  if (one.tone !== "danger") setTimeout(() => close(one.id), LASTS);
}

/** Say what was refused, where no form can. */
export const fail = (words: string): void => toast(words, { tone: "danger" });

function close(id: number): void {
  change(shown.filter((one) => one.id !== id));
}

function change(to: readonly Toast[]): void {
  shown = to;
  for (const one of watching) one();
}

function watch(listener: () => void): () => void {
  watching.add(listener);
  return () => watching.delete(listener);
}

export function Toasts() {
  const list = useSyncExternalStore(watch, () => shown);
  return (
    <div className="toasts" role="status" aria-live="polite">
      {list.map((one) => (
        <div key={one.id} className={`toast ${one.tone}`}>
          <span className="grow">{one.words}</span>
          {one.undo && (
            <Button small look="quiet" onPress={() => { one.undo?.(); close(one.id); }}>
              Undo
            </Button>
          )}
          <Button small look="quiet" aria-label="Close" icon={<X />} onPress={() => close(one.id)} />
        </div>
      ))}
    </div>
  );
}
