/** Asks before something goes: it says what goes, and what is much has to be typed. */
import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Field } from "./field";
import { Form } from "./form";

type Props = {
  title: string;
  open: boolean;
  onClose: () => void;
  onYes: () => void;
  yes: string;
  /** Has to be typed before anything happens. */
  word?: string;
  wrong?: string;
  isPending?: boolean;
  children: ReactNode;
};

export function Confirm({ title, open, onClose, ...rest }: Props) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <Inside onClose={onClose} {...rest} />
    </Dialog>
  );
}

function Inside({ onClose, onYes, yes, word, wrong, isPending, children }: Omit<Props, "title" | "open">) {
  const [typed, setTyped] = useState("");
  return (
    <>
      <div className="prose">{children}</div>
      <Form danger save={yes} onSubmit={onYes} isPending={isPending} isDisabled={Boolean(word) && typed.trim() !== word} wrong={wrong} also={<Button onPress={onClose}>Cancel</Button>}>
        {word && <Field label={`Type ${word} to confirm`} value={typed} onChange={setTyped} autoFocus autoComplete="off" />}
      </Form>
    </>
  );
}
