/** What is done with the branch that a space or a site follows: the same deeds, by operations of either. */
import type { QueryKey } from "@tanstack/react-query";
import { useDeed } from "./deed";
import * as git from "./plumbing";
import type { Schemas } from "./client";

type Verbs<Kept> = {
  stale: QueryKey[];
  connect: (body: Schemas["ConnectGit"]) => Promise<{ publicKey?: string }>;
  /** `kept` says whose counts, where both sides changed the same in two ways. */
  sync: (kept?: Kept) => Promise<unknown>;
  disconnect: () => Promise<unknown>;
  hook: () => Promise<{ url: string; secret: string }>;
  unhook: () => Promise<unknown>;
};
type Said = { saved: (tried: boolean) => void; syncing: () => void; failed: (sentence: string) => void };

export const ofSpace = (id: string): Verbs<never> => ({
  stale: [["git", id], ["space", id]],
  connect: (body) => git.connect(id, body),
  sync: () => git.sync(id),
  disconnect: () => git.disconnect(id),
  hook: () => git.hook(id),
  unhook: () => git.unhook(id),
});

export const ofSite = (at: { org: string; site: string }): Verbs<"git" | "site"> => ({
  stale: [["git", at.site], ["site", at.site], ["structure", at.site], ["spaces", at.org]],
  connect: (body) => git.connectSite(at, body),
  sync: (kept) => git.syncSite(at, kept),
  disconnect: () => git.disconnectSite(at),
  hook: () => git.siteHook(at),
  unhook: () => git.siteUnhook(at),
});

export function useFollowing<Kept>({ stale, ...verbs }: Verbs<Kept>, said: Said) {
  const save = useDeed(
    async ({ body, key }: { body: Schemas["ConnectGit"]; key?: string }) => {
      const made = await verbs.connect(body);
      // A new key has to be added to the repository before anything can be read.
      if (made.publicKey && made.publicKey !== key) return false;
      await verbs.sync();
      return true;
    },
    { stale, done: said.saved },
  );
  return {
    save,
    sync: useDeed((kept: Kept | undefined) => verbs.sync(kept), { stale, failed: said.failed, done: said.syncing }),
    off: useDeed(verbs.disconnect, { stale }),
    hook: useDeed(verbs.hook, { stale, failed: said.failed }),
    unhook: useDeed(verbs.unhook, { stale, failed: said.failed }),
  };
}

export type Following = ReturnType<typeof useFollowing>;
