/** A picture of a look: its address, or a file that becomes one; and how it looks. */
import { Upload } from "lucide-react";
import { FileTrigger } from "react-aria-components";
import { addPicture, seenAt } from "../../api/pictures";
import { useDeed } from "../../api/deed";
import { sentence } from "../../api/client";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";

const KINDS = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/svg+xml"];

export type Place = { org: string; site: string; may: boolean };
type Props = { of: Place; label: string; value: string; onChange: (url: string) => void; help?: string; wrong?: string };

export function Picture({ of, label, value, onChange, help, wrong }: Props) {
  const deed = useDeed((file: File) => addPicture(of.org, of.site, file), { stale: [], done: onChange });
  return (
    <div className="look-picture">
      <Field label={label} type="url" placeholder="https://" value={value} onChange={onChange} wrong={deed.error ? sentence(deed.error) : wrong} help={help} />
      {of.may && (
        <FileTrigger acceptedFileTypes={KINDS} onSelect={(files) => files?.[0] && deed.mutate(files[0])}>
          <Button small icon={<Upload />} isPending={deed.isPending} aria-label={`Upload: ${label}`}>Upload</Button>
        </FileTrigger>
      )}
      {value && <img src={seenAt(value)} alt="" />}
    </div>
  );
}

type Themed = { light: string; dark: string };
type Both = { of: Place; label: string; value?: Themed; onChange: (to?: Themed) => void; help?: string; wrong?: string };

/** A picture for each theme: the first one stands for both until there is another. */
export function Pictures({ of, label, value, onChange, help, wrong }: Both) {
  const { light, dark } = value ?? { light: "", dark: "" };
  const set = (light: string, dark: string) => onChange(light || dark ? { light: light || dark, dark: dark || light } : undefined);
  return (
    <div className="pair">
      <Picture of={of} label={label} value={light} onChange={(to) => set(to, dark === light ? to : dark)} wrong={wrong} help={help} />
      <Picture of={of} label={`${label}, dark theme`} value={dark} onChange={(to) => set(light, to)} />
    </div>
  );
}
