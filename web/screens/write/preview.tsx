/** What readers will see of the text as it stands, made by the server's renderer after a short rest. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { sentence } from "../../api/client";
import { rendered } from "../../api/writing";
import { Asked } from "../../parts/asked";
import { PageFrame } from "../../parts/page-frame";

const REST = 350;

export function Preview({ space, number, page, title, text }: { space: string; number: number; page: string; title: string; text: string }) {
  const [shown, setShown] = useState(text);
  useEffect(() => {
    const later = setTimeout(() => setShown(text), REST);
    return () => clearTimeout(later);
  }, [text]);
  const asked = useQuery({
    queryKey: ["preview", space, number, page, shown],
    queryFn: ({ signal }) => rendered(space, number, page, shown, signal),
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
