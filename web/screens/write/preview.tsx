/** What readers will see of the page as it stands, made by the server's renderer. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { sentence, type Schemas } from "../../api/client";
import { rendered } from "../../api/writing";
import { Asked } from "../../parts/asked";
import { PageFrame } from "../../parts/page-frame";

type Props = { space: string; number: number; page: string; title: string; body: Schemas["RenderMarkdown"]; /** Another one whenever the body is another one. */ of: string | number };

export function Preview({ space, number, page, title, body, of }: Props) {
  const asked = useQuery({
    queryKey: ["preview", space, number, page, of],
    queryFn: ({ signal }) => rendered(space, number, page, body, signal),
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
