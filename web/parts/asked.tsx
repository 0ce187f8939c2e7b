/** What was asked of the server: waits, or says why it did not come, or shows it. */
import type { ReactNode } from "react";
import { Button } from "./button";
import { Notice } from "./notice";
import { Waiting } from "./waiting";

type Answer<T> = { data: T | undefined; error: unknown; refetch: () => unknown };

export function Asked<T>({ of, lines, say, children }: { of: Answer<T>; lines?: number; say: (error: unknown) => string; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error)
    return (
      <Notice tone="danger" action={<Button small onPress={() => void of.refetch()}>Try again</Button>}>
        {say(of.error)}
      </Notice>
    );
  return <Waiting lines={lines} />;
}
