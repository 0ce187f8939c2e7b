/** The palette: pages, spaces, people and what can be done, by a few letters and Enter. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { BookOpen, CornerDownLeft, FileText, GitPullRequest, Search, UserRound } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { Autocomplete, Dialog, Header, Input, ListBox, ListBoxItem, ListBoxSection, Modal, ModalOverlay, SearchField } from "react-aria-components";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { people } from "../../api/people";
import { organization, requests, search, spaces } from "../../api/queries";
import { useSaid } from "../../parts/actions";
import { emoji } from "../../parts/emoji";
import { places, themes } from "./places";

type Item = { id: string; words: string; note?: string; icon: keyof typeof ICONS; to?: string; act?: () => void };
type Group = { id: string; name: string; items: Item[] };
const ICONS = { page: <FileText />, space: <BookOpen />, request: <GitPullRequest />, person: <UserRound />, action: <CornerDownLeft /> };
const MOST = 6;

export function Palette({ org, open, onClose }: { org?: string; open: boolean; onClose: () => void }) {
  return (
    <ModalOverlay className="scrim" isDismissable isOpen={open} onOpenChange={(is) => !is && onClose()}>
      <Modal className="modal wide palette">
        <Dialog className="dialog" aria-label="Search">
          <Inside org={org} onClose={onClose} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Inside({ org, onClose }: { org?: string; onClose: () => void }) {
  const [typed, setTyped] = useState("");
  const [, go] = useLocation();
  const { groups, failed } = useGroups(org, typed);
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <SearchField aria-label="Search pages, spaces, people and actions" autoFocus className="palette-field">
        <Search aria-hidden="true" />
        <Input placeholder="Search pages, spaces, people and actions" />
      </SearchField>
      <ListBox
        aria-label="Results"
        className="palette-list"
        items={groups}
        onAction={(key) => {
          const one = groups.flatMap((each) => each.items).find((each) => each.id === key);
          onClose();
          if (one?.to?.startsWith("/app")) go(one.to);
          else if (one?.to) location.assign(one.to);
          one?.act?.();
        }}
        renderEmptyState={() => !failed && <p className="palette-none">{typed ? "Nothing has these words. Try fewer, or others." : "Type what you look for."}</p>}
      >
        {(group) => (
          <ListBoxSection id={group.name}>
            <Header className="palette-head">{group.name}</Header>
            {group.items.map((one) => (
              <ListBoxItem key={one.id} id={one.id} textValue={one.words} className="palette-item">
                {ICONS[one.icon]}
                <span className="grow">
                  {one.words}
                  {one.note && <span className="palette-note">{one.note}</span>}
                </span>
              </ListBoxItem>
            ))}
          </ListBoxSection>
        )}
      </ListBox>
      {failed && <p className="palette-none wrong" role="alert">Pages were not searched: {sentence(failed)}</p>}
    </Autocomplete>
  );
}

/** What was found, and why pages were not searched where that failed. */
function useGroups(org: string | undefined, typed: string): { groups: Group[]; failed: Error | null } {
  const words = useDeferredValue(typed.trim());
  const known = useQuery({ ...spaces(org ?? ""), enabled: Boolean(org) }).data;
  const open = useQuery({ ...requests(org ?? "", { status: ["open", "draft"], limit: 50 }), enabled: Boolean(org) }).data;
  const searched = useQuery({ ...search(org ?? "", words), enabled: Boolean(org) && words.length > 1, placeholderData: keepPreviousData });
  const hits = searched.data;
  const found = useQuery({ ...people(org ?? "", { search: words, role: "" }), enabled: Boolean(org) && words.length > 1, placeholderData: keepPreviousData, retry: false }).data;
  const may = useQuery({ ...organization(org ?? ""), enabled: Boolean(org) }).data?.permissions;
  const said = useSaid();
  const [place] = useLocation();
  const groups = useMemo(() => {
    if (!org) return [];
    const fits = (text: string) => words.toLowerCase().split(/\s+/).every((word) => text.toLowerCase().includes(word));
    const pages: Item[] = !words
      ? []
      : (hits?.items ?? []).flatMap((hit) =>
          hit.type !== "space"
            ? []
            : hit.pages.map((page) => ({
                id: `p ${hit.id} ${page.id}`,
                words: page.title,
                note: [hit.title, ...page.ancestors.map((one) => one.title)].join(" › "),
                icon: "page" as const,
                to: addresses.page({ org, space: hit.id }, page.path || page.id),
              })),
        );
    const rooms: Item[] = (known ?? [])
      .filter((one) => fits(one.title))
      .slice(0, MOST)
      .map((one) => ({ id: `s ${one.id}`, words: `${emoji(one.emoji)} ${one.title || "Untitled space"}`.trim(), icon: "space", to: addresses.space(org, one.id) }));
    const titles = new Map((known ?? []).map((one) => [one.id, one.title]));
    const changes: Item[] = (open?.items ?? [])
      .filter((one) => fits(`#${one.number} ${one.subject}`))
      .slice(0, MOST)
      .map((one) => ({ id: `c ${one.id}`, words: `#${one.number} ${one.subject || "Untitled"}`, note: titles.get(one.space), icon: "request", to: addresses.request(org, one.space, one.number) }));
    const whom: Item[] = !words
      ? []
      : (found?.items ?? []).slice(0, MOST).map((one) => ({ id: `u ${one.user.id}`, words: one.user.displayName, note: one.user.email, icon: "person", to: `${addresses.manage(org, "members")}?${new URLSearchParams({ find: one.user.email })}` }));
    const here: Item[] = said.map((one) => ({ id: `h ${one.id}`, words: one.words, icon: "action" as const, act: one.act })).filter((one) => fits(one.words));
    const actions: Item[] = [...places(org, place, may), ...(words ? themes : [])].filter((one) => fits(one.words)).slice(0, words ? 12 : 8).map((one) => ({ ...one, icon: "action" as const }));
    // Somebody whose name begins so is who was meant; other finds by name or address stand below.
    const named = whom.some((one) => one.words.toLowerCase().split(/\s+/).some((part) => part.startsWith(words.toLowerCase())));
    const persons = { id: "People", name: "People", items: whom };
    return [
      { id: "Here", name: "On this page", items: here },
      ...(named ? [persons] : []),
      { id: "Pages", name: "Pages", items: pages },
      { id: "Spaces", name: "Spaces", items: rooms },
      { id: "Change requests", name: "Change requests", items: changes },
      ...(named ? [] : [persons]),
      { id: "Actions", name: "Actions", items: actions },
    ].filter((one) => one.items.length > 0);
  }, [org, words, known, open, hits, found, may, said, place]);
  return { groups, failed: searched.error };
}
