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
/** What has a scheme, is a path, an anchor, a host or somebody's e-mail is no title, though it may stand in one. */
const ADDRESS = /^(\S*[/#@]\S*|[a-z][a-z0-9+.-]*:\S+|\S+\.[a-z]{2,})$/i;
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
  const [first] = useState(link ? (typeof link["url"] === "string" ? link["url"] : said(look, link)) : "");
  const [words, setWords] = useState(first);
  const found = look.find(find, words);
  return (
    <Dialog title={title} open onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!words.trim()) return;
          // A page is shown by its title, which leads nowhere: where nothing was typed, nothing changes.
          if (link && words === first) return onClose();
          const named = found.find((one) => one.title.toLowerCase() === words.trim().toLowerCase());
          const address = ADDRESSED.includes(find) && !named && (found.length === 0 || ADDRESS.test(words.trim()));
          const chosen = named ?? found[0];
          if (address) onChoose(refOf(words));
          else if (chosen) onChoose(chosen.ref, chosen.title);
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
