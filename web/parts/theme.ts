/** The theme: the system's until somebody chooses, and the choice is the browser's. */
import { useSyncExternalStore } from "react";

export type Theme = "system" | "light" | "dark";
const NAME = "octavo-app-theme";
const watching = new Set<() => void>();

function read(): Theme {
  try {
    const kept = localStorage.getItem(NAME);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system";
  }
}

let theme = read();
show();

function show(): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}

export function choose(to: Theme): void {
  theme = to;
  try {
    if (to === "system") localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, to);
  } catch {
    // It holds for this page then.
  }
  show();
  for (const one of watching) one();
}

export function useTheme(): Theme {
  return useSyncExternalStore(
    (listener) => {
      watching.add(listener);
      return () => watching.delete(listener);
    },
    () => theme,
  );
}
