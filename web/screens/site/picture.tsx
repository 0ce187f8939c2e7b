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
