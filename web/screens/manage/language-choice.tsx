/** Into which languages something is translated: one added at a time, each taken away by its button. */
import { Button } from "../../parts/button";
import { LANGUAGES, languageName } from "../../parts/languages";
import { Select } from "../../parts/select";

export function LanguageChoice({ value, not, onChange, wrong }: { value: string[]; not: string; onChange: (to: string[]) => void; wrong?: string }) {
  const left = LANGUAGES.filter((one) => one.value !== not && !value.includes(one.value));
  return (
    <div className="stack">
      <Select label="Into" value="" onChange={(to) => to && onChange([...value, to])} wrong={wrong} options={[{ value: "", words: value.length ? "Another language" : "Choose a language" }, ...left]} />
      {value.length > 0 && (
        <div className="row wrap">
          {value.map((one) => <Button key={one} small aria-label={`Without ${languageName(one)}`} onPress={() => onChange(value.filter((code) => code !== one))}>{`${languageName(one)} ×`}</Button>)}
        </div>
      )}
    </div>
  );
}
