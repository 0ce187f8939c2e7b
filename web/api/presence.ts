/** Who is here: this tab says where it is, and hears of the others every moment while somebody looks at it. */
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import type { At } from "./addresses";
import { api, must, type Schemas } from "./client";

export type Here = Schemas["Presence"];

const HEARD = 1500;
const SAID = 20_000;
/** The word of this tab, as long as it is open. */
const TAB = Array.from(crypto.getRandomValues(new Uint8Array(9)), (one) => one.toString(36)).join("");

const presence = (spaceId: string) =>
  queryOptions({
    queryKey: ["presence", spaceId],
    queryFn: () => must(api.GET("/v1/spaces/{spaceId}/presence", { params: { path: { spaceId } } })),
    // Who cannot hear of others goes on as if alone.
    retry: false,
    refetchInterval: (query) => (query.state.error ? SAID : HEARD),
    gcTime: 0,
  });

let places = 0;

type Doing = { page?: string; doing?: Here["doing"]; node?: string };

/** The others at the same place: of a page those who have it open, else all who have the content open. `draft` is the id of the change request. */
export function usePresence(at: At, draft: string | undefined, { page, doing = "reading", node }: Doing): Here[] {
  const { space, request } = at;
  useEffect(() => {
    const params = { path: { spaceId: space } };
    let here = false;
    places += 1;
    const say = () => {
      if (document.visibilityState === "hidden") return;
      here = true;
      void api.PUT("/v1/spaces/{spaceId}/presence", { params, body: { tab: TAB, changeRequest: request === undefined ? undefined : String(request), page, doing, node } }).catch(() => undefined);
    };
    const leave = () => {
      if (here) void api.PUT("/v1/spaces/{spaceId}/presence", { params, body: { tab: TAB, doing: "gone" }, keepalive: true }).catch(() => undefined);
      here = false;
    };
    say();
    const again = setInterval(say, SAID);
    document.addEventListener("visibilitychange", say);
    addEventListener("pagehide", leave);
    return () => {
      clearInterval(again);
      document.removeEventListener("visibilitychange", say);
      removeEventListener("pagehide", leave);
      // The next place says where the tab is; where there is none it has left.
      places -= 1;
      const went = here;
      setTimeout(() => went && places === 0 && leave(), 0);
    };
  }, [space, request, page, doing, node]);
  const found = useQuery(presence(space)).data;
  return useMemo(() => {
    const people = new Map<string, Here>();
    if (request !== undefined && draft === undefined) return [];
    for (const one of found?.items ?? []) if (one.id !== TAB && one.changeRequest === draft && (page === undefined || one.page === page)) people.set(one.user.id, one);
    return [...people.values()];
  }, [found, page, request, draft]);
}
