/** What stands above both editors: whose page it is, whether it is saved, which editor it is, and what went wrong. */
import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, Eye, FileCode, PenLine } from "lucide-react";
import { useEffect, useState } from "react";
import { Link } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { changeRequest } from "../../api/content";
import { LIVE } from "../../api/live";
import { usePresence } from "../../api/presence";
import { Button, ButtonLink } from "../../parts/button";
import { Faces } from "../../parts/faces";
import { Notice } from "../../parts/notice";
import { fail } from "../../parts/toast";
import { Copy, useElsewhere } from "./rescue";
import type { Saver, State } from "./saver";
import type { Mode, Of } from "./saving";

type Props = Of & {
  title: string;
  mode: Mode;
  preview: boolean;
  onPreview: () => void;
  onMode: (mode: Mode) => void;
  saving: { state: State; conflict: boolean; saver: Pick<Saver<unknown>, "save" | "leave" | "content" | "discard"> };
  /** What was typed here before is here again. */
  restored: boolean;
  /** Puts what is stored in its place. */
  replace: () => void;
};

/** The change request is not written into any more. */
const CLOSED = 409;
/** What to do about it, where the sentence of the refusal does not say that. */
const ADVICE: Partial<Record<number, string>> = {
  403: " Ask somebody who manages the space for your role, and try again.",
  404: " Copy it, and paste it where it belongs now.",
};

export function Bar({ org, space, number, page, title, mode, preview, onPreview, onMode, saving, restored, replace }: Props) {
  const { state, conflict, saver } = saving;
  const live = number === LIVE;
  const at = addresses.written(org, space, number);
  const elsewhere = useElsewhere({ org, space, number, page });
  const [asks, setAsks] = useState(restored);
  const draft = useQuery({ ...changeRequest(space, number), staleTime: Infinity, enabled: !live }).data?.id;
  const others = usePresence(at, draft, { page, doing: "editing" });
  useEffect(() => {
    document.title = `Editing ${title} · Octavo`;
  }, [title]);
  const discard = async () => {
    try {
      if (!(await saver.discard())) replace();
      setAsks(false);
    } catch (error) {
      fail(sentence(error));
    }
  };
  return (
    <>
      <header className="writing-bar">
        <Link className="writing-back" href={live ? addresses.page(at, page) : addresses.place(at)}><ArrowLeft aria-hidden="true" />{live ? "Page" : `#${number}`}</Link>
        <h1 className="grow clip">{title}</h1>
        <Faces faces={others.map((one) => ({ id: one.user.id, name: one.user.displayName, picture: one.user.photoURL, writes: one.doing === "editing" }))} />
        <Said state={state} />
        <div className="writing-modes" role="group" aria-label="How it is written">
          <Button small look="quiet" icon={<PenLine />} aria-label="Visual" aria-pressed={mode === "visual"} onPress={() => onMode("visual")} />
          <Button small look="quiet" icon={<FileCode />} aria-label="Source" aria-pressed={mode === "source"} onPress={() => onMode("source")} />
        </div>
        <Button small look="quiet" icon={<Eye />} aria-label="Preview" aria-pressed={preview} onPress={onPreview} />
        <Button small isDisabled={state.kind === "saved"} onPress={() => void saver.save()}>Save</Button>
        <ButtonLink small look="primary" href={live ? addresses.page(at, page) : `${addresses.place(at)}/~/changes`}>Done</ButtonLink>
      </header>
      {asks && (
        <Notice
          tone="warning"
          action={
            <>
              <Button small onPress={() => setAsks(false)}>Keep it</Button>
              <Button small look="quiet" onPress={() => void discard()}>Discard it</Button>
            </>
          }
        >
          What you typed here before was not saved. It is here again.
        </Notice>
      )}
      {state.kind === "waiting" && (
        <Notice tone="warning" action={<Copy content={saver.content} />}>
          The server cannot be reached. What you typed is kept in this browser, and sent as soon as there is an answer.
        </Notice>
      )}
      {state.kind === "over" && (
        <Notice tone="warning" action={<Copy content={saver.content} />}>
          Your session is over. What you typed is kept in this browser, and sent as soon as you are signed in again.
        </Notice>
      )}
      {state.kind === "refused" && (
        <Notice
          tone="danger"
          action={
            <>
              {state.status === CLOSED && <Button small look="primary" onPress={() => void saver.leave(elsewhere)}>Go on in a new change request</Button>}
              <Copy content={saver.content} />
              <Button small onPress={() => void saver.save()}>Try again</Button>
            </>
          }
        >
          {state.sentence} What you typed is kept in this browser.{ADVICE[state.status]}
        </Notice>
      )}
      {conflict && (
        <Notice tone="warning">Somebody else changed the same lines. Both versions are in the text: keep one, and remove the condition around it.</Notice>
      )}
    </>
  );
}


const WORDS = { saved: "Saved", typed: "Not saved yet", saving: "Saving…", waiting: "Not saved: trying again", over: "Not saved: signed out", refused: "Not saved" } as const;

function Said({ state }: { state: State }) {
  return (
    <span className={`writing-said note ${state.kind}`} role="status">
      {WORDS[state.kind]}
    </span>
  );
}
