/** What stands below every page: a logo, columns of links, a line; and what is shown where pages are shared. */
import { Plus, Trash2 } from "lucide-react";
import type { Customization } from "../../api/sites";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Field } from "../../parts/field";
import { addressOf, Group, type Some } from "./look-group";
import { Picture, Pictures, type Place } from "./picture";

type Footer = NonNullable<Customization["footer"]>;
type Column = NonNullable<Footer["groups"]>[number];

export function Bottom({ look, onChange, wrong, place }: Some & { place: Place }) {
  const footer = look.footer ?? {};
  const columns = footer.groups ?? [];
  const put = (some: Partial<Footer>) => onChange({ ...look, footer: { ...footer, ...some } });
  const change = (at: number, column: Column) => put({ groups: columns.map((one, index) => (index === at ? column : one)) });
  return (
    <Group title="Footer and sharing">
      <Pictures of={place} label="Logo in the footer" value={footer.logo} onChange={(logo) => put({ logo })} wrong={wrong.at("footer")} />
      {columns.map((one, at) => (
        <Links key={at} number={at + 1} column={one} wrong={(path) => wrong.below(`footer.groups[${at}]${path}`)} onChange={(to) => change(at, to)} onRemove={() => put({ groups: columns.filter((_, index) => index !== at) })} />
      ))}
      {!columns.some((_, at) => wrong.below(`footer.groups[${at}]`)) && wrong.below("footer.groups") && <p className="wrong" role="alert">{wrong.below("footer.groups")}</p>}
      <div><Button small icon={<Plus />} onPress={() => put({ groups: [...columns, { title: "", links: [EMPTY] }] })}>Add a column of links</Button></div>
      <Field label="Line at the end" value={footer.copyright ?? ""} onChange={(to) => put({ copyright: to || undefined })} placeholder="© Example Ltd" maxLength={512} />
      <Field label="Privacy policy" type="url" placeholder="https://" value={look.privacyPolicy?.url ?? ""} onChange={(url) => onChange({ ...look, privacyPolicy: url ? { url } : {} })} wrong={wrong.at("privacyPolicy")} />
      <Picture of={place} label="Picture where pages are shared" value={look.socialPreview?.url ?? ""} onChange={(url) => onChange({ ...look, socialPreview: url ? { url } : {} })} wrong={wrong.at("socialPreview")} help="For every page; without one, each page has a picture with its title." />
      <Check label="Say that Octavo made it" value={look.trademark?.enabled ?? false} onChange={(enabled) => onChange({ ...look, trademark: { enabled } })} />
    </Group>
  );
}

const EMPTY = { title: "", to: { kind: "url", url: "" } };

type OfColumn = { number: number; column: Column; wrong: (path: string) => string | undefined; onChange: (to: Column) => void; onRemove: () => void };

function Links({ number, column, wrong, onChange, onRemove }: OfColumn) {
  const links = column.links ?? [];
  const elsewhere = links.some((_, at) => wrong(`.links[${at}]`));
  const put = (to: typeof links) => onChange({ ...column, links: to });
  return (
    <fieldset className="choices">
      <legend>Column {number}</legend>
      <Field label={`Title of column ${number}`} value={column.title} onChange={(title) => onChange({ ...column, title })} wrong={elsewhere ? undefined : wrong("")} />
      {links.map((one, at) => (
        <div className="pair" key={at}>
          <Field label={`Link ${at + 1} of column ${number}`} value={one.title} onChange={(title) => put(links.map((link, index) => (index === at ? { ...link, title } : link)))} wrong={wrong(`.links[${at}].title`)} />
          {one.to && !("url" in one.to) ? (
            <p className="note">It leads to something of Octavo, and stays as it is.</p>
          ) : (
            <Field label={`Address of link ${at + 1} of column ${number}`} type="url" value={addressOf(one)} onChange={(url) => put(links.map((link, index) => (index === at ? { ...link, to: { kind: "url", url } } : link)))} wrong={wrong(`.links[${at}].title`) ? undefined : wrong(`.links[${at}]`)} />
          )}
        </div>
      ))}
      <div className="row wrap">
        <Button small icon={<Plus />} onPress={() => put([...links, EMPTY])}>Add a link to column {number}</Button>
        {links.length > 1 && <Button small look="quiet" onPress={() => put(links.slice(0, -1))}>Take its last link out</Button>}
        <Button small look="quiet" icon={<Trash2 />} onPress={onRemove}>Take column {number} out</Button>
      </div>
    </fieldset>
  );
}
