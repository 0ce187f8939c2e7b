/** Where a link leads: an address, or a page found by its name. */
import { useState } from "react";
import { type Look, refOf, said } from "../../editor/visual/look";
import { Button } from "../../parts/button";
import { Actions, Dialog } from "../../parts/dialog";
import { Field } from "../../parts/field";

type Ref = Record<string, unknown>;
type Props = { look: Look; link?: Ref; title?: string; onClose: () => void; onChoose: (ref: Ref | null, title?: string) => void };

export function LinkDialog({ look, link, title = "Link", onClose, onChoose }: Props) {
  const [words, setWords] = useState(link ? (typeof link["url"] === "string" ? link["url"] : said(look, link)) : "");
  const found = look.find("page", words);
  return (
    <Dialog title={title} open onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (words.trim()) onChoose(refOf(words));
        }}
      >
        <Field label="Address, or words of a page's title" autoFocus value={words} onChange={setWords} />
        {found.length > 0 && (
          <ul className="plain writing-found" aria-label="Pages">
            {found.map((one) => (
              <li key={one.title + JSON.stringify(one.ref)}>
                <Button look="quiet" onPress={() => onChoose(one.ref, one.title)}>{one.title}</Button>
              </li>
            ))}
          </ul>
        )}
        <Actions>
          {link && <Button look="quiet" onPress={() => onChoose(null)}>Remove the link</Button>}
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isDisabled={!words.trim()}>Link it</Button>
        </Actions>
      </form>
    </Dialog>
  );
}
