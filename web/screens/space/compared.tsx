/** A page of a change request beside primary content, as readers see both: what differs is marked, and can be spoken about,
 * taken back, and decided where both sides changed it. */
import { useQuery } from "@tanstack/react-query";
import { MessageSquare, Undo2 } from "lucide-react";
import { useState } from "react";
import type { At } from "../../api/addresses";
import * as addresses from "../../api/addresses";
import { type Schemas, sentence } from "../../api/client";
import type { ChangeRequest, Space } from "../../api/queries";
import { compared } from "../../api/review";
import { kind, type Node, plain } from "../../editor/plain";
import { Asked } from "../../parts/asked";
import { Button, ButtonLink } from "../../parts/button";
import { Block, Gap, Words } from "../../parts/diff";
import { PageFrame } from "../../parts/page-frame";
import { type Arranging, useArranging } from "./arrange";
import { Threads } from "./threads";

type One = Schemas["ComparedBlock"];
type Group = { gap: number } | { status: "added" | "deleted" | "changed"; blocks: One[] } | { conflict: One; instead: One[]; label: string };

const MARK = /^conflict == "([^"]*?)(?:, instead of (\d+) blocks)?"$/;

/** Blocks in reading order: those that are the same are counted, those that came or went together stand together. */
export function grouped(blocks: One[]): Group[] {
  const made: Group[] = [];
  blocks.forEach((one, at) => {
    const last = made.at(-1);
    const mark = marked(one);
    if (mark) made.push({ conflict: one, instead: blocks.slice(Math.max(0, at - mark.instead), at), label: mark.label });
    else if (one.status === "equal") {
      if (last && "gap" in last) last.gap++;
      else made.push({ gap: 1 });
    } else if (one.status !== "changed" && last && "status" in last && last.status === one.status) last.blocks.push(one);
    else made.push({ status: one.status, blocks: [one] });
  });
  return made;
}

function marked(one: One): { label: string; instead: number } | null {
  const node = one.after as Node | undefined;
  const found = node?.type === "if" ? MARK.exec(String(node.data?.["expression"] ?? "").trim()) : null;
  return found ? { label: found[1]!, instead: Number(found[2] ?? 1) } : null;
}

export function Compared({ at, space, one, page }: { at: At; space: Space; one: ChangeRequest; page: string }) {
  const asked = useQuery(compared(at.space, one.number, one.revision, page));
  const arranging = useArranging(at, space);
  return (
    <Asked of={asked} say={sentence} lines={3}>
      {({ blocks }) => {
        const groups = grouped(blocks);
        if (groups.every((each) => "gap" in each)) return <p className="note">The text is the same.</p>;
        return groups.map((each, number) =>
          "gap" in each ? (
            <Gap key={number} count={each.gap} />
          ) : "conflict" in each ? (
            <Conflict key={number} at={at} page={page} one={each} arranging={arranging} />
          ) : (
            <Differs key={number} at={at} space={space} page={page} {...each} arranging={arranging} />
          ),
        );
      }}
    </Asked>
  );
}

/** Two versions of a page to look at, with nothing to be done about them. */
export function SideBySide({ blocks }: { blocks: One[] }) {
  const groups = grouped(blocks);
  if (groups.every((each) => "gap" in each)) return <p className="note">The text is the same.</p>;
  return groups.map((each, number) => {
    if ("gap" in each) return <Gap key={number} count={each.gap} />;
    const status = "conflict" in each ? "changed" : each.status;
    const list = "conflict" in each ? [each.conflict] : each.blocks;
    return (
      <Block key={number} status={status} kind={called(list)}>
        <Shown status={status} blocks={list} />
      </Block>
    );
  });
}

const called = (blocks: One[]) => (blocks.length === 1 ? kind((blocks[0]!.after ?? blocks[0]!.before) as Node | undefined) : `${blocks.length} blocks`);

function Shown({ status, blocks }: { status: "added" | "deleted" | "changed"; blocks: One[] }) {
  return (
    <PageFrame
      title={`${status} ${called(blocks)}`}
      html={html(blocks, status === "deleted" ? "before" : "after")}
      before={status === "changed" ? html(blocks, "before") : undefined}
      look={status === "changed" ? "tight" : status}
      onLink={() => false}
    />
  );
}

const html = (blocks: One[], side: "before" | "after") => blocks.map((one) => one.html?.[side] ?? "").join("\n");
const keys = (one: One) => [one.before, one.after].flatMap((node) => (node ? [String((node as { key?: string }).key)] : []));

type DiffersProps = { at: At; space: Space; page: string; status: "added" | "deleted" | "changed"; blocks: One[]; arranging: Arranging };

function Differs({ at, space, page, status, blocks, arranging }: DiffersProps) {
  const [talks, setTalks] = useState(false);
  const first = blocks[0]!;
  const node = (first.after ?? first.before) as Node | undefined;
  const what = called(blocks);
  const named = blocks.flatMap(keys);
  return (
    <Block
      status={status}
      kind={what}
      actions={
        <>
          {space.permissions.comment && <Button small look="quiet" aria-label={`Comment on this ${kind(node)}`} icon={<MessageSquare />} onPress={() => setTalks(!talks)} />}
          {arranging.may && <Button small look="quiet" aria-label={`Take back this ${what}`} icon={<Undo2 />} onPress={() => void arranging.takeBack(page, what, named)} />}
        </>
      }
    >
      <Shown status={status} blocks={blocks} />
      <Threads at={at} space={space} page={page} node={named} quiet={!talks} />
    </Block>
  );
}

type ConflictProps = { at: At; page: string; one: Extract<Group, { conflict: One }>; arranging: Arranging };

/** Both sides changed one place: what readers see, what this side says, and which of them stays. */
function Conflict({ at, page, one, arranging }: ConflictProps) {
  const key = keys(one.conflict).at(-1)!;
  const decide = (keep: "primary" | "other" | "both") => void arranging.run([{ operation: "resolve_conflict", page, keep, block: [key] }]);
  return (
    <Block status="conflict" kind="place: both sides changed it">
      <div className="conflict-sides">
        <section className="conflict-side">
          <p className="strong">What readers see</p>
          {one.instead.map((each, number) => (
            <Words key={number} runs={[{ status: "equal", text: plain(each.after as Node | undefined) }]} />
          ))}
          {one.instead.length === 0 && <p className="note diff-words">It was removed.</p>}
        </section>
        <section className="conflict-side">
          <p className="strong">{one.label.replace(/^./, (letter) => letter.toUpperCase())}</p>
          <PageFrame title="The other text" html={html([one.conflict], "after")} look="tight" onLink={() => false} />
        </section>
      </div>
      {arranging.may && (
        <div className="conflict-do">
          <Button small onPress={() => decide("primary")}>Keep what readers see</Button>
          <Button small onPress={() => decide("other")}>Keep this text</Button>
          <Button small onPress={() => decide("both")}>Keep both</Button>
          <ButtonLink small look="quiet" href={`${addresses.place(at)}/~/edit/${page}`}>Edit</ButtonLink>
        </div>
      )}
    </Block>
  );
}
