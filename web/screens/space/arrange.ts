/** Arranging the pages of a place: who may, and what each step does, seen at once and taken back where it was refused. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import type { At } from "../../api/addresses";
import { altered, change, type Change, dropped, family, type Made, moved, type Place, placeOf, step, type Way, without } from "../../api/arranging";
import { sentence } from "../../api/client";
import { changeRequest, find, type Page, pages, space as spaceOf } from "../../api/content";
import type { Space } from "../../api/queries";
import { toast } from "../../parts/toast";

type Ahead = (list: Page[]) => Page[];
export type Arranging = ReturnType<typeof useArranging>;

export function useArranging(at: At, space: Space | undefined) {
  const queries = useQueryClient();
  const request = useQuery({ ...changeRequest(at.space, at.request ?? 0), enabled: at.request !== undefined }).data;
  const writable = at.request === undefined ? space?.editMode === "live" && !at.revision : request?.status === "draft" || request?.status === "open";
  const may = Boolean(space?.permissions.edit && writable);
  const { org, space: spaceId, request: number, revision } = at;
  return useMemo(() => {
    const here: At = { org, space: spaceId, request: number, revision };
    const key = pages(here).queryKey;
    const list = () => queries.getQueryData<Page[]>(key) ?? [];
    const refresh = () => {
      for (const name of ["pages", "change-request", "changes", "html", "space", "files", "links"]) void queries.invalidateQueries({ queryKey: [name, spaceId] });
    };
    /** Send changes; `ahead` is what the table looks like until the answer is there. Null where they were refused. */
    const run = async (changes: Change[], ahead?: Ahead): Promise<Made | null> => {
      await queries.cancelQueries({ queryKey: key });
      const before = queries.getQueryData<Page[]>(key);
      if (ahead && before) queries.setQueryData(key, ahead(before));
      try {
        return await change(here, changes);
      } catch (error) {
        if (before) queries.setQueryData(key, before);
        toast(sentence(error), { tone: "danger" });
        return null;
      } finally {
        refresh();
      }
    };
    const put = async (id: string, to: Place | null, said = true) => {
      const was = placeOf(list(), id);
      const page = find(list(), id)?.page;
      if (!to || !was || !page || (to.into === was.into && to.at === was.at)) return;
      const done = await run([{ operation: "update_page", page: id, into: to.into, at: to.at }], (now) => moved(now, id, to));
      if (done && said) toast(to.into === was.into ? `Moved ${page.title}` : `Moved ${page.title}. Its old address leads here.`, { undo: () => void put(id, was, false) });
    };
    /** What undo leads back to; null, and a word about it, where nobody can be asked. */
    const head = async (): Promise<string | null> => {
      try {
        const of = number === undefined ? queries.fetchQuery({ ...spaceOf(spaceId), staleTime: 0 }) : queries.fetchQuery({ ...changeRequest(spaceId, number), staleTime: 0 });
        return (await of).revision;
      } catch (error) {
        toast(sentence(error), { tone: "danger" });
        return null;
      }
    };
    const remove = async (page: Page) => {
      const everything = family(page);
      const revision = await head();
      if (!revision) return;
      const done = await run([{ operation: "delete_page", page: page.id }], (now) => without(now, page.id));
      const words = everything.length === 1 ? `Deleted ${page.title}` : `Deleted ${page.title} and ${everything.length - 1} below it`;
      if (done) toast(words, { undo: () => void run(everything.map((one) => ({ operation: "revert_page", page: one.id, revision, block: [] }))) });
    };
    /** A picture that was uploaded becomes the page's cover; null takes the cover away. */
    const cover = async (page: Page, picture: { key: string; name: string; type: string } | null) => {
      if (!picture) return run([{ operation: "update_page", page: page.id, cover: null }]);
      const made = await run([{ operation: "insert_files", files: [{ name: picture.name, contentType: picture.type, key: picture.key }] }]);
      const file = made?.files[0];
      return file ? run([{ operation: "update_page", page: page.id, cover: { ref: { kind: "file", file } } }]) : null;
    };
    /** A page, or blocks of it, become what primary content has; Undo brings back what the change request had. */
    const takeBack = async (page: string, words: string, block: string[] = []) => {
      const revision = await head();
      if (!revision) return;
      const done = await run([{ operation: "revert_page", page, block }]);
      if (done) toast(`Taken back: ${words}`, { undo: () => void run([{ operation: "revert_page", page, revision, block: [] }]) });
    };
    return {
      cover,
      takeBack,
      may,
      run,
      put,
      remove,
      step: (id: string, way: Way) => put(id, step(list(), id, way)),
      drop: (id: string, target: string, where: "before" | "after" | "on") => put(id, dropped(list(), id, target, where)),
      mayDrop: (id: string, target: string, where: "before" | "after" | "on") => dropped(list(), id, target, where) !== null,
      hide: (page: Page, hidden: boolean) => run([{ operation: "update_page", page: page.id, hidden }], (now) => altered(now, page.id, (one) => ({ ...one, hidden }) as Page)),
      refresh,
    };
  }, [queries, org, spaceId, number, revision, may]);
}
