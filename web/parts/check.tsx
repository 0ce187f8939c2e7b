/** Yes or no, and one of some with a word about each. */
import { type ReactNode, useId } from "react";
import "./select.css";

type Props = {
  label: string;
  /** What it is called where `label` does not say it alone. */
  name?: string;
  help?: ReactNode;
  value: boolean;
  onChange: (value: boolean) => void;
  isDisabled?: boolean;
};

export function Check({ label, name, help, value, onChange, isDisabled }: Props) {
  return (
    <label className="check">
      <input type="checkbox" aria-label={name} checked={value} disabled={isDisabled} onChange={(event) => onChange(event.target.checked)} />
      <span>
        {label}
        {help && <span className="note">{help}</span>}
      </span>
    </label>
  );
}

type Among = { label: string; options: readonly { value: string; words: string; help?: ReactNode }[]; value: string; onChange: (value: string) => void; wrong?: string };

export function Choices({ label, options, value, onChange, wrong }: Among) {
  const name = useId();
  return (
    <fieldset className="choices">
      <legend>{label}</legend>
      {options.map((one) => (
        <label key={one.value} className="check">
          <input type="radio" name={name} checked={one.value === value} onChange={() => onChange(one.value)} />
          <span>
            {one.words}
            {one.help && <span className="note">{one.help}</span>}
          </span>
        </label>
      ))}
      {wrong && <span className="wrong" role="alert">{wrong}</span>}
    </fieldset>
  );
}
