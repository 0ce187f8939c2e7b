/** The palette: pages, spaces and what can be done, by a few letters and Enter. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { BookOpen, CornerDownLeft, FileText, GitPullRequest, Search } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { Autocomplete, Dialog, Header, Input, ListBox, ListBoxItem, ListBoxSection, Modal, ModalOverlay, SearchField } from "react-aria-components";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { requests, search, spaces } from "../../api/queries";
import { emoji } from "../../parts/emoji";

type Item = { id: string; words: string; note?: string; icon: "page" | "space" | "request" | "action"; to: string };
const ICONS = { page: <FileText />, space: <BookOpen />, request: <GitPullRequest />, action: <CornerDownLeft /> };
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
  const groups = useGroups(org, typed);
  return (
    <Autocomplete inputValue={typed} onInputChange={setTyped}>
      <SearchField aria-label="Search pages, spaces and actions" autoFocus className="palette-field">
        <Search aria-hidden="true" />
        <Input placeholder="Search pages, spaces and actions" />
      </SearchField>
      <ListBox
        aria-label="Results"
        className="palette-list"
        items={groups}
        onAction={(key) => {
          const to = groups.flatMap((one) => one.items).find((one) => one.id === key)?.to;
          onClose();
          if (to) go(to);
        }}
        renderEmptyState={() => <p className="palette-none">{typed ? "Nothing has these words. Try fewer, or others." : "Type what you look for."}</p>}
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
    </Autocomplete>
  );
}

function useGroups(org: string | undefined, typed: string): { id: string; name: string; items: Item[] }[] {
  const words = useDeferredValue(typed.trim());
  const known = useQuery({ ...spaces(org ?? ""), enabled: Boolean(org) }).data;
  const open = useQuery({ ...requests(org ?? "", { status: ["open", "draft"], limit: 50 }), enabled: Boolean(org) }).data;
  const hits = useQuery({ ...search(org ?? "", words), enabled: Boolean(org) && words.length > 1, placeholderData: keepPreviousData }).data;
  return useMemo(() => {
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
    const places: Item[] = (known ?? [])
      .filter((one) => fits(one.title))
      .slice(0, MOST)
      .map((one) => ({ id: `s ${one.id}`, words: `${emoji(one.emoji)} ${one.title || "Untitled space"}`.trim(), icon: "space", to: addresses.space(org, one.id) }));
    const titles = new Map((known ?? []).map((one) => [one.id, one.title]));
    const changes: Item[] = (open?.items ?? [])
      .filter((one) => fits(`#${one.number} ${one.subject}`))
      .slice(0, MOST)
      .map((one) => ({ id: `c ${one.id}`, words: `#${one.number} ${one.subject || "Untitled"}`, note: titles.get(one.space), icon: "request", to: addresses.request(org, one.space, one.number) }));
    const actions: Item[] = [
      { id: "a home", words: "Go to the home of the organization", to: addresses.home(org) },
      { id: "a changes", words: "Look at change requests", to: `${addresses.home(org)}/~/changes` },
      { id: "a told", words: "Look at notifications", to: `${addresses.home(org)}/~/notifications` },
      { id: "a new", words: "Make a new space", to: `${addresses.home(org)}?new` },
      { id: "a import", words: "Import a file, a repository or a website", to: `${addresses.home(org)}?import` },
    ].filter((one) => fits(one.words)).map((one) => ({ ...one, icon: "action" }));
    return [
      { id: "Pages", name: "Pages", items: pages },
      { id: "Spaces", name: "Spaces", items: places },
      { id: "Change requests", name: "Change requests", items: changes },
      { id: "Actions", name: "Actions", items: actions },
    ].filter((one) => one.items.length > 0);
  }, [org, words, known, open, hits]);
}
