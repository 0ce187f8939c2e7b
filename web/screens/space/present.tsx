/** Who else has this page, or this change request, open. */
import { useQuery } from "@tanstack/react-query";
import type { At } from "../../api/addresses";
import { changeRequest } from "../../api/content";
import { usePresence } from "../../api/presence";
import { Faces } from "../../parts/faces";

export function Present({ at, page }: { at: At; page?: string }) {
  const draft = useQuery({ ...changeRequest(at.space, at.request ?? 0), enabled: at.request !== undefined }).data?.id;
  const others = usePresence(at, draft, { page });
  return <Faces faces={others.map((one) => ({ id: one.user.id, name: one.user.displayName, picture: one.user.photoURL, writes: one.doing === "editing" }))} />;
}
