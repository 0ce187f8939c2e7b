/** Writing a page in a change request: as readers see it, or its source. Nothing that was typed is ever lost. */
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { changeRequest, space as spaceOf } from "../../api/content";
import { LIVE } from "../../api/live";
import { above, head, keep as keepDocument, save as saveText, source, type Written as Words, written } from "../../api/writing";
import { drop, kept } from "../../editor/kept";
import { same } from "../../editor/visual/same";
import { Asked } from "../../parts/asked";
import { ButtonLink } from "../../parts/button";
import { Notice } from "../../parts/notice";
import { asText, Leftover } from "./rescue";
import type { Begun, Wire } from "./saver";
import { type Mode, type Of, settled } from "./saving";
import { SourceEditor } from "./source-editor";
import { VisualEditor } from "./visual-editor";
import "./write.css";

const CHOSEN = "octavo-writing";

export default function Write(props: Of) {
  return (
    <main id="content" className="writing" tabIndex={-1}>
      {props.number === LIVE ? <Directly {...props} /> : <Proposed {...props} />}
    </main>
  );
}

/** Where the space is live, what is written is what readers see. */
function Directly(props: Of) {
  const asked = useQuery({ ...spaceOf(props.space), staleTime: Infinity, gcTime: 0 });
  return (
    <>
      {asked.isError && <Leftover {...props} closed={false} />}
      <Asked of={asked} say={sentence}>
        {(one) =>
          one.editMode === "live" && one.permissions.edit ? (
            <Both {...props} revision={one.revision} />
          ) : (
            <div className="inner">
              <Leftover {...props} closed={one.editMode !== "live"} />
              <Notice tone="warning" action={<ButtonLink small href={addresses.page({ org: props.org, space: props.space }, props.page)}>Go to the page</ButtonLink>}>
                {one.editMode === "live" ? "Your role on this space does not let you write." : "This space is written by change requests: choose Edit on the page."}
              </Notice>
            </div>
          )
        }
      </Asked>
    </>
  );
}

function Proposed(props: Of) {
  const space = useQuery({ ...spaceOf(props.space), staleTime: Infinity });
  const asked = useQuery({ ...changeRequest(props.space, props.number), staleTime: Infinity, gcTime: 0 });
  return (
    <>
      {asked.isError && <Leftover {...props} closed={false} />}
      <Asked of={asked} say={sentence}>
        {(one) =>
          one.status === "merged" || one.status === "archived" ? (
            <div className="inner">
              <Leftover {...props} closed />
              <Notice tone="warning" action={<ButtonLink small href={addresses.request(props.org, props.space, props.number)}>Go to it</ButtonLink>}>
                Change request #{props.number} is {one.status}, and is not written any more.
              </Notice>
            </div>
          ) : (
            <Asked of={space} say={sentence}>{(within) => <Allowed {...props} revision={one.revision} edit={within.permissions.edit} />}</Asked>
          )
        }
      </Asked>
    </>
  );
}

/** Whoever may not write is told so before the first letter; from whom the role is taken while she writes keeps her editor. */
function Allowed({ edit, ...props }: Of & { revision: string; edit: boolean }) {
  const [may] = useState(edit);
  if (may) return <Both {...props} />;
  return (
    <div className="inner">
      <Leftover {...props} closed={false} />
      <Notice tone="warning" action={<ButtonLink small href={addresses.request(props.org, props.space, props.number)}>Go to it</ButtonLink>}>
        Your role on this space does not let you write.
      </Notice>
    </div>
  );
}

/** The editor that was chosen last; where something is kept that was not saved, the one that it was typed in. */
function Both(props: Of & { revision: string }) {
  const [at, setAt] = useState<{ mode: Mode; revision: string } | null>(null);
  // The change request is asked for again whenever something is saved: the editor goes on with what it began with.
  const [first] = useState(props.revision);
  const id = `${props.space}/${props.number}/${props.page}`;
  const asked = useQuery({
    queryKey: ["writing-mode", id],
    queryFn: async (): Promise<Mode> => {
      const [text, document] = await Promise.all([kept(id), kept(`${id}/visual`)]).catch(() => []);
      if (text || document) return document && (!text || document.at > text.at) ? "visual" : "source";
      return localStorage.getItem(CHOSEN) === "source" ? "source" : "visual";
    },
    staleTime: "static",
    gcTime: 0,
  });
  const change = useCallback((mode: Mode, revision: string) => {
    localStorage.setItem(CHOSEN, mode);
    setAt({ mode, revision });
  }, []);
  return (
    <Asked of={asked} say={sentence}>
      {(mode) => {
        const now = at ?? { mode, revision: first };
        const Which = now.mode === "visual" ? Visual : Source;
        return <Which key={now.mode + now.revision} {...props} revision={now.revision} id={id} change={change} />;
      }}
    </Asked>
  );
}

const way = (space: string, number: number) => ({ head: () => head(space, number), above: (revision: string) => above(space, revision) });

type One = Of & { id: string; revision: string; change: (mode: Mode, revision: string) => void };

function Visual(props: One) {
  const { space, number, page } = props;
  const wire = useMemo(
    () => ({
      read: (revision: string) => written(space, revision, page),
      send: (now: Words, began: Words, revision: string) => keepDocument(space, number, page, now, began, revision),
      same,
      alike: (a: Words, b: Words) => asText(a).trim() === asText(b).trim(),
      ...way(space, number),
    }),
    [space, number, page],
  );
  return <Begin {...props} id={`${props.id}/visual`} wire={wire}>{(begun) => <VisualEditor {...props} id={`${props.id}/visual`} begun={begun} wire={wire} />}</Begin>;
}

function Source(props: One) {
  const { space, number, page } = props;
  const wire = useMemo(
    () => ({
      read: (revision: string) => source(space, revision, page),
      send: (now: string, _: string, revision: string) => saveText(space, number, page, now, revision),
      same: (a: string, b: string) => a === b,
      alike: (a: string, b: string) => a.trimEnd() === b.trimEnd(),
      ...way(space, number),
    }),
    [space, number, page],
  );
  return <Begin {...props} wire={wire}>{(begun) => <SourceEditor {...props} begun={begun} wire={wire} />}</Begin>;
}

/** What the change request has, or what was typed here before and did not get there. */
function Begin<C>({ id, revision, wire, children, ...of }: Of & { id: string; revision: string; wire: Wire<C>; children: (begun: Begun<C>) => React.ReactNode }) {
  const { space, number } = of;
  const asked = useQuery({
    queryKey: ["writing", id, revision],
    queryFn: async (): Promise<Begun<C>> => {
      await settled(id);
      const before = await kept(id).catch(() => undefined);
      const now = await wire.head().catch(() => revision);
      const stored = await wire.read(now);
      const isThere = before && wire.same(before.text as C, stored);
      if (isThere) await drop(id).catch(() => undefined);
      if (!before || isThere) return { content: stored, revision: now, base: stored, stored };
      // What was sent of it has arrived: the rest goes on from there.
      if (before.sent !== undefined && wire.alike(before.sent as C, stored)) return { content: before.text as C, revision: now, base: stored, stored, before: true };
      // It began from what it began from: what others wrote since is joined when it is saved.
      return { content: before.text as C, revision: before.revision, base: before.base as C, stored, before: true };
    },
    // An editor goes on with what it began with, whatever is asked for again.
    staleTime: "static",
    gcTime: 0,
  });
  return (
    <>
      {asked.isError && <Leftover org={of.org} space={space} number={number} page={of.page} closed={false} />}
      <Asked of={asked} say={sentence}>
        {(begun) => children(begun)}
      </Asked>
    </>
  );
}
