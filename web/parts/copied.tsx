/** A value that is made to be taken elsewhere: shown whole, copied by a button. */
import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { Button } from "./button";
import "./form.css";

export function Copied({ label, value, hush, secret }: { label: string; value: string; hush?: boolean; secret?: boolean }) {
  const [done, setDone] = useState(false);
  const [shown, setShown] = useState(!secret);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    setDone(true);
    setTimeout(() => setDone(false), 2000);
  };
  return (
    <div className="stack">
      <div>
        {!hush && <div className="copied-words">{label}</div>}
        <div className="copied">
          <code>{shown ? value : "•".repeat(24)}</code>
          {secret && <Button small onPress={() => setShown(!shown)}>{shown ? "Hide" : "Show"}</Button>}
          <Button small icon={done ? <Check /> : <Copy />} onPress={() => void copy()} aria-label={`Copy ${label}`}>{done ? "Copied" : "Copy"}</Button>
        </div>
      </div>
    </div>
  );
}
