/** A form: its fields, the sentence that concerns none of them, and what can be done at its end. */
import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Notice } from "./notice";
import "./form.css";

type Props = {
  onSubmit: () => void;
  /** What was refused and belongs to no field. */
  wrong?: string;
  save: string;
  isPending?: boolean;
  isDisabled?: boolean;
  danger?: boolean;
  /** Before the button that saves: what else can be done. */
  also?: ReactNode;
  children?: ReactNode;
};

export function Form({ onSubmit, wrong, save, isPending, isDisabled, danger, also, children }: Props) {
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isDisabled && !isPending) onSubmit();
      }}
    >
      {children}
      {wrong && <Notice tone="danger">{wrong}</Notice>}
      <div className="form-end">
        {also}
        <Button type="submit" look={danger ? "danger" : "primary"} isPending={isPending} isDisabled={isDisabled}>{save}</Button>
      </div>
    </form>
  );
}

/** What somebody makes of what is stored: until it is saved, and again when that changed elsewhere. */
export function useDraft<T extends object>(stored: T) {
  const [changes, setChanges] = useState<Partial<T>>({});
  const value = { ...stored, ...changes };
  return {
    value,
    changes,
    changed: Object.keys(changes).length > 0,
    set: <K extends keyof T>(name: K) => (to: T[K]) => setChanges((before) => ({ ...before, [name]: to })),
    put: (some: Partial<T>) => setChanges((before) => ({ ...before, ...some })),
    forget: () => setChanges({}),
  };
}
