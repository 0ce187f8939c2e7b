/** What readers will see of the text as it stands, made by the server's renderer. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { sentence } from "../../api/client";
import { rendered } from "../../api/writing";
import { Asked } from "../../parts/asked";
import { PageFrame } from "../../parts/page-frame";

export function Preview({ space, number, page, title, text }: { space: string; number: number; page: string; title: string; text: string }) {
  const asked = useQuery({
    queryKey: ["preview", space, number, page, text],
    queryFn: ({ signal }) => rendered(space, number, page, text, signal),
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 10_000,
  });
  return (
    <Asked of={asked} say={sentence}>
      {(found) => <PageFrame title={title} html={found.html} onLink={() => false} />}
    </Asked>
  );
}
