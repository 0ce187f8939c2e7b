/** A colour for each theme, with a word about how well it reads where it stands. */
import { contrast, parse } from "./contrast";
import { Field } from "./field";
import "./colour.css";

type Pair = { light: string; dark: string };
type Props = { label: string; value: Pair; onChange: (value: Pair) => void; wrong?: string; tell?: boolean };

const GROUNDS = { light: "#ffffff", dark: "#17181c" } as const;
const READS = 4.5;

export function Colour({ label, value, onChange, wrong, tell = true }: Props) {
  return (
    <fieldset className="colour">
      <legend>{label}</legend>
      {(["light", "dark"] as const).map((theme) => (
        <div key={theme} className="colour-one">
          <input type="color" aria-label={`${label}, ${theme} theme`} value={parse(value[theme]) ? value[theme] : "#000000"} onChange={(event) => onChange({ ...value, [theme]: event.target.value })} />
          <Field label={`${label} as #rrggbb, ${theme} theme`} hush value={value[theme]} onChange={(to) => onChange({ ...value, [theme]: to })} wrong={value[theme] && !parse(value[theme]) ? "Write it as #rrggbb." : undefined} />
          {tell && <Told colour={value[theme]} theme={theme} />}
        </div>
      ))}
      {wrong && <span className="wrong">{wrong}</span>}
    </fieldset>
  );
}

function Told({ colour, theme }: { colour: string; theme: "light" | "dark" }) {
  const ratio = contrast(colour, GROUNDS[theme]);
  if (ratio === null) return <span className="note">In the {theme} theme</span>;
  return (
    <span className="note">
      {theme === "light" ? "Light" : "Dark"}: {ratio.toFixed(1)} : 1{ratio < READS ? " — text takes the nearest tone that reads" : ""}
    </span>
  );
}
