/** What was asked of the server: waits, or says why it did not come, or shows it. */
import type { ReactNode } from "react";
import { Button, ButtonLink } from "./button";
import { Notice } from "./notice";
import { Waiting } from "./waiting";

/** What is not there, or not for who asks, does not come by asking again. */
const gone = (error: unknown) => error instanceof Error && "status" in error && (error.status === 404 || error.status === 403);

type Answer<T> = { data: T | undefined; error: unknown; refetch: () => unknown };

export function Asked<T>({ of, lines, say, children }: { of: Answer<T>; lines?: number; say: (error: unknown) => string; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error)
    return (
      <Notice tone="danger" action={gone(of.error) ? <ButtonLink small href="/app">Go home</ButtonLink> : <Button small onPress={() => void of.refetch()}>Try again</Button>}>
        {say(of.error)}
      </Notice>
    );
  return <Waiting lines={lines} />;
}
