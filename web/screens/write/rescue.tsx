/** What was typed and has no place any more: copied, or gone on with in a change request of its own. */
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { createChangeRequest } from "../../api/content";
import { LIVE } from "../../api/live";
import type { Written } from "../../api/writing";
import { drop, keep, type Kept, kept } from "../../editor/kept";
import { plain } from "../../editor/plain";
import { Button } from "../../parts/button";
import { Notice } from "../../parts/notice";
import { fail, toast } from "../../parts/toast";
import type { Of } from "./saving";

/** As text: the source, or title, description and words. */
export function asText(content: unknown): string {
  if (typeof content === "string") return content;
  const { title, description, document } = content as Written;
  return [title && `# ${title}`, description, ...((document as { nodes?: object[] }).nodes ?? []).map((one) => plain(one))].filter(Boolean).join("\n\n");
}

export function Copy({ content }: { content: () => unknown }) {
  const copy = () => navigator.clipboard.writeText(asText(content())).then(() => toast("What you typed is copied."), () => fail("The browser did not let it be copied."));
  return <Button small onPress={() => void copy()}>Copy what you typed</Button>;
}

/** Begins a change request, takes what is kept along, and opens the page there: it is joined with what the space has. */
export function useElsewhere({ org, space, number, page }: Of) {
  const [, go] = useLocation();
  return async (): Promise<boolean> => {
    try {
      const found = await everything({ space, number, page });
      const made = await createChangeRequest(space, number === LIVE ? "Go on with what was typed" : `Go on with #${number}`);
      for (const { key, mode, one } of found) {
        await keep({ ...one, key: `${space}/${made.number}/${page}${mode}` });
        await drop(key);
      }
      go(`${addresses.request(org, space, made.number)}/~/edit/${page}`);
      return true;
    } catch (error) {
      fail(sentence(error));
      return false;
    }
  };
}

async function everything({ space, number, page }: Omit<Of, "org">): Promise<{ key: string; mode: string; one: Kept }[]> {
  const found = [];
  for (const mode of ["", "/visual"]) {
    const key = `${space}/${number}/${page}${mode}`;
    const one = await kept(key);
    if (one) found.push({ key, mode, one });
  }
  return found;
}

/** Where a page cannot be opened for writing: what was typed into it before, if there is something. */
export function Leftover({ closed, ...of }: Of & { closed: boolean }) {
  const elsewhere = useElsewhere(of);
  const found = useQuery({ queryKey: ["leftover", of.space, of.number, of.page], queryFn: () => everything(of).catch(() => []), staleTime: 0, gcTime: 0 }).data;
  const newest = found?.toSorted((one, other) => other.one.at - one.one.at)[0];
  if (!newest) return null;
  return (
    <Notice
      tone="warning"
      action={
        <>
          {closed && <Button small look="primary" onPress={() => void elsewhere()}>Go on in a new change request</Button>}
          <Copy content={() => newest.one.text} />
        </>
      }
    >
      What you typed here was not saved. It is kept in this browser.
    </Notice>
  );
}
