/** A comment on one block, by the name that the server has for it: what was typed is saved first. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { sentence } from "../../api/client";
import { postComment } from "../../api/content";
import { written } from "../../api/writing";
import type { Taken } from "../../editor/visual/taken";
import { Button } from "../../parts/button";
import { Actions, Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Notice } from "../../parts/notice";
import { toast } from "../../parts/toast";
import { GONE } from "./handle";
import type { Of } from "./saving";

type Props = Of & { block: Taken; where: (of: Taken) => Taken | null; flush: () => Promise<boolean>; revision: () => string; onClose: () => void };

export function BlockComment({ org, space, number, page, block, where, flush, revision, onClose }: Props) {
  const [words, setWords] = useState("");
  const queries = useQueryClient();
  const post = useMutation({
    mutationFn: async () => {
      if (!(await flush())) throw new Error("What you typed is not saved yet. Save it, and comment then.");
      // Saving brought what others wrote: blocks are not where they were.
      const now = where(block);
      if (!now) throw new Error(GONE);
      const node = (await written(space, revision(), page)).document.nodes?.[now.index] as { key?: string } | undefined;
      return postComment({ org, space, request: number }, words.trim(), page, node?.key);
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["comments", space] });
      toast("The comment stands beside the block.");
      onClose();
    },
  });
  return (
    <Dialog title="Comment on the block" open onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (words.trim()) post.mutate();
        }}
      >
        {post.error && <Notice tone="danger">{sentence(post.error)}</Notice>}
        <Field label="Comment" help="Markdown works." autoFocus value={words} onChange={setWords} lines={3} />
        <Actions>
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isDisabled={!words.trim()} isPending={post.isPending}>Comment</Button>
        </Actions>
      </form>
    </Dialog>
  );
}
