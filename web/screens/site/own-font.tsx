/** A typeface of the organization, made of files of its weights. */
import { useState } from "react";
import { type Face, makeFont, type OwnFont, weightOf } from "../../api/fonts";
import { useDeed } from "../../api/deed";
import { wrongs } from "../../api/refused";
import { Button } from "../../parts/button";
import { Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";
import { Form } from "../../parts/form";
import { Select } from "../../parts/select";

const NAMES: Record<number, string> = { 100: "Thin", 200: "Extra light", 300: "Light", 400: "Regular", 500: "Medium", 600: "Semi-bold", 700: "Bold", 800: "Extra bold", 900: "Black" };
const OPTIONS = Object.entries(NAMES).map(([value, words]) => ({ value, words: `${words}, ${value}` }));
const REGULAR = 400;

export function NewFont({ org, onMade, onClose }: { org: string; onMade: (font: OwnFont) => void; onClose: () => void }) {
  const [family, setFamily] = useState("");
  const [faces, setFaces] = useState<Face[]>([]);
  const deed = useDeed(() => makeFont(org, family.trim(), faces), { stale: [["fonts", org]], done: onMade });
  const wrong = wrongs(deed.error, ["fontFamily"]);
  const lacks = faces.length > 0 && !faces.some((one) => one.weight === REGULAR);
  const twice = new Set(faces.map((one) => one.weight)).size < faces.length;
  const choose = (chosen: FileList | null) => {
    const files = [...(chosen ?? [])];
    setFaces(files.map((file) => ({ file, weight: weightOf(file.name) })));
    if (!family && files[0]) setFamily(files[0].name.replace(/\.woff2?$/i, "").replace(/[-_ ](regular|\d00|[a-z]*(bold|light|thin|medium|black))$/i, ""));
  };
  return (
    <Dialog title="Add a typeface" open onClose={onClose}>
      <Form save="Add" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!family.trim() || faces.length === 0 || lacks || twice} wrong={wrong.rest ?? (lacks ? "One of the files has to be the regular weight, 400." : twice ? "Two files have the same weight." : undefined)} also={<Button onPress={onClose}>Cancel</Button>}>
        <label className="field">
          Files
          <input type="file" multiple accept=".woff2,.woff,font/woff2,font/woff" onChange={(event) => choose(event.target.files)} />
          <span className="note">WOFF2 or WOFF, one for each weight, at most 1 MiB each. You need the right to use them.</span>
        </label>
        {faces.map((one, at) => (
          <Select key={one.file.name} label={`Weight of ${one.file.name}`} value={String(one.weight)} options={OPTIONS} onChange={(to) => setFaces(faces.map((face, index) => (index === at ? { ...face, weight: Number(to) } : face)))} />
        ))}
        <Field label="Name" value={family} onChange={setFamily} wrong={wrong.at("fontFamily")} help="Every site of the organization can be set in it." />
      </Form>
    </Dialog>
  );
}
