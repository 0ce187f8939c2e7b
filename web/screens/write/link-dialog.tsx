/** Where a link leads: an address, or a page found by its name. */
import { useState } from "react";
import { type Kind, type Look, refOf, said } from "../../editor/visual/look";
import { Button } from "../../parts/button";
import { Actions, Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";

const LABELS: Record<Kind, string> = {
  page: "Address, or words of a page's title",
  file: "Address, or words of a file's name",
  person: "Words of a person's name",
  reusable: "Words of its title",
  spec: "Words of its name",
};
/** What can also be an address. */
const ADDRESSED: Kind[] = ["page", "file"];
const LISTS: Record<Kind, string> = { page: "Pages", file: "Files", person: "People", reusable: "Reusable contents", spec: "Specifications" };

/** Where there is none at all: how one comes to be. */
const NONE: Record<Kind, string> = {
  page: "",
  file: "",
  person: "Nobody is there to be named.",
  reusable: "There is none yet. One is written as a file in .gitbook/includes, and comes by Git or an import.",
  spec: "There is none yet. Who manages the organization adds one under OpenAPI.",
};

type Ref = Record<string, unknown>;
type Props = { look: Look; link?: Ref; find?: Kind; title?: string; onClose: () => void; onChoose: (ref: Ref | null, title?: string) => void };

export function LinkDialog({ look, link, find = "page", title = "Link", onClose, onChoose }: Props) {
  const [words, setWords] = useState(link ? (typeof link["url"] === "string" ? link["url"] : said(look, link)) : "");
  const found = look.find(find, words);
  return (
    <Dialog title={title} open onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!words.trim()) return;
          if (ADDRESSED.includes(find)) onChoose(refOf(words));
          else if (found[0]) onChoose(found[0].ref, found[0].title);
        }}
      >
        <Field label={LABELS[find]} autoFocus value={words} onChange={setWords} />
        {found.length > 0 && (
          <ul className="plain writing-found" aria-label={LISTS[find]}>
            {found.map((one) => (
              <li key={one.title + JSON.stringify(one.ref)}>
                <Button look="quiet" onPress={() => onChoose(one.ref, one.title)}>{one.title}</Button>
              </li>
            ))}
          </ul>
        )}
        {found.length === 0 && !ADDRESSED.includes(find) && <p className="note" role="status">{words.trim() ? "Nothing has these words. Try fewer, or others." : NONE[find]}</p>}
        <Actions>
          {link && <Button look="quiet" onPress={() => onChoose(null)}>Remove the link</Button>}
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isDisabled={!words.trim() || (!ADDRESSED.includes(find) && found.length === 0)}>Link it</Button>
        </Actions>
      </form>
    </Dialog>
  );
}
