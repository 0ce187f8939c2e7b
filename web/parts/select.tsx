/** One of some: the browser's own list, which every phone and screen reader knows. */
import { useId } from "react";
import "./field.css";
import "./select.css";

export type Option = { value: string; words: string; disabled?: boolean };
type Props = { label: string; hush?: boolean; options: readonly Option[]; value: string; onChange: (value: string) => void; help?: string; wrong?: string; isDisabled?: boolean };

export function Select({ label, hush, options, value, onChange, help, wrong, isDisabled }: Props) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id} className={hush ? "visually-hidden" : ""}>{label}</label>
      <select
        id={id}
        className="select"
        value={value}
        disabled={isDisabled}
        aria-invalid={wrong ? true : undefined}
        aria-describedby={help || wrong ? `${id}-note` : undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        {options.map((one) => (
          <option key={one.value} value={one.value} disabled={one.disabled}>{one.words}</option>
        ))}
      </select>
      {(wrong || help) && <span id={`${id}-note`} className={wrong ? "wrong" : "note"}>{wrong ?? help}</span>}
    </div>
  );
}
