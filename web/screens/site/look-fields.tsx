/** The fields of a look: colours, type, header, announcement, page, language; the footer has a file of its own. */
import { useQuery } from "@tanstack/react-query";
import { Plus, Trash2, Upload } from "lucide-react";
import { useState } from "react";
import { fonts } from "../../api/fonts";
import type { Wrongs } from "../../api/refused";
import type { Customization } from "../../api/sites";
import { Button } from "../../parts/button";
import { Check } from "../../parts/check";
import { Colour } from "../../parts/colour";
import { emoji } from "../../parts/emoji";
import { Field } from "../../parts/field";
import { Select } from "../../parts/select";
import { addressOf, Group, type Some } from "./look-group";
import { Bottom } from "./look-footer";
import { NewFont } from "./own-font";
import { Pictures, type Place } from "./picture";

type Props = Some & { variant: boolean; org: string; site: string; mayAdd: boolean; mayDraw: boolean };
type Styling = NonNullable<Customization["styling"]>;
type Header = NonNullable<Customization["header"]>;
type Link = NonNullable<Header["links"]>[number];

const options = (words: Record<string, string>) => Object.entries(words).map(([value, said]) => ({ value, words: said }));
const THEMES = options({ clean: "Clean", muted: "Muted: a grey ground", bold: "Bold: a header in the colour", gradient: "Gradient: colour from above" });
const CORNERS = options({ straight: "Straight", rounded: "Rounded", circular: "Circular" });
const FONTS = ["Inter", "FiraSans", "Lato", "Merriweather", "NotoSans", "OpenSans", "Overpass", "Poppins", "Raleway", "Roboto", "RobotoSlab", "SourceSansPro", "Ubuntu", "IBMPlexSerif", "ABCFavorit"].map(named);
const MONO = ["JetBrainsMono", "DMMono", "FiraCode", "IBMPlexMono", "Inconsolata", "RobotoMono", "SourceCodePro", "SpaceMono"].map(named);
const HEADERS = options({ default: "As the theme", bold: "In the primary colour", contrast: "Dark in both themes", custom: "Colours of its own", none: "Without links" });
const LOCALES = options({ en: "English", ar: "العربية", da: "Dansk", de: "Deutsch", es: "Español", fr: "Français", he: "עברית", it: "Italiano", ja: "日本語", ko: "한국어", nl: "Nederlands", no: "Norsk", pl: "Polski", pt: "Português", "pt-br": "Português (Brasil)", ru: "Русский", sv: "Svenska", tr: "Türkçe", uk: "Українська", zh: "中文" });
const ACTIONS = { markdown: "Copy as Markdown", "external-ai": "Open in an assistant elsewhere", mcp: "Connect by MCP", pdf: "PDF", git: "Edit in Git" } as const;
const SAYS = options({ info: "Information", success: "Good news", warning: "Warning", danger: "Something is wrong" });

function named(value: string) {
  return { value, words: value.replace(/([a-z])([A-Z])/g, "$1 $2").replace(/^(ABC|IBM|DM)(?=[A-Z])/, "$1 ").replace("Jet Brains", "JetBrains") };
}

export function LookFields({ look, onChange, wrong, variant, org, site, mayAdd, mayDraw }: Props) {
  const place = { org, site, may: mayDraw };
  const styling = look.styling ?? {};
  const style = (some: Partial<Styling>) => onChange({ ...look, styling: { ...styling, ...some } });
  return (
    <>
      <Group title="Colours and shapes">
        <Colour label="Primary colour" value={styling.primaryColor ?? { light: "", dark: "" }} onChange={(primaryColor) => style({ primaryColor })} wrong={wrong.at("styling")} />
        <div className="pair">
          <Select label="Theme" options={THEMES} value={styling.theme ?? "clean"} onChange={(to) => style({ theme: to as Styling["theme"] })} />
          <Select label="Corners" options={CORNERS} value={styling.corners ?? "rounded"} onChange={(to) => style({ corners: to as Styling["corners"] })} />
          <Select label="Begins in the theme" options={options({ system: "Of the reader's system", light: "Light", dark: "Dark" })} value={look.themes?.default ?? "system"} onChange={(to) => onChange({ ...look, themes: { ...look.themes, default: to as "system" } })} />
          <Select label="Links" options={options({ default: "In the primary colour", accent: "Dark, underlined in it" })} value={styling.links ?? "default"} onChange={(to) => style({ links: to as Styling["links"] })} />
        </div>
        <Check label="Readers may switch the theme" value={look.themes?.toggeable ?? true} onChange={(toggeable) => onChange({ ...look, themes: { ...look.themes, toggeable } })} />
      </Group>
      <Type styling={styling} style={style} org={org} mayAdd={mayAdd} wrong={wrong} />
      <Top look={look} onChange={onChange} wrong={wrong} place={place} />
      <Said look={look} onChange={onChange} wrong={wrong} />
      <Bottom look={look} onChange={onChange} wrong={wrong} place={place} />
      <Words look={look} onChange={onChange} wrong={wrong} variant={variant} />
    </>
  );
}

type Typeface = Styling["font"] | Styling["monospaceFont"];
const fontValue = (font: Typeface, usual: string) => (typeof font === "object" && font ? font.id : (font ?? usual));

/** Typefaces by name, and those that the organization has files of, which can be added here. */
function Type({ styling, style, org, mayAdd, wrong }: { styling: Styling; style: (some: Partial<Styling>) => void; org: string; mayAdd: boolean; wrong: Wrongs }) {
  const [adding, setAdding] = useState(false);
  const own = useQuery(fonts(org)).data ?? [];
  const mine = own.map((one) => ({ value: one.id, words: one.fontFamily }));
  const chosen = (to: string) => {
    const font = own.find((one) => one.id === to);
    return font ? { id: font.id, custom: true as const, fontFamily: font.fontFamily, fontFaces: font.fontFaces } : to;
  };
  const text = fontValue(styling.font, "Inter");
  const elsewhere = text !== "Inter" && typeof styling.font !== "object";
  return (
    <Group title="Type">
      <div className="pair">
        <Select label="Text" options={[...FONTS, ...mine]} value={text} onChange={(to) => style({ font: chosen(to) as Styling["font"] })} help={elsewhere ? "Shown where the reader's machine has it." : typeof styling.font === "object" ? "From the site itself; the preview does not load its files." : undefined} wrong={wrong.at("styling")} />
        <Select label="Code" options={[...MONO, ...mine]} value={fontValue(styling.monospaceFont, "JetBrainsMono")} onChange={(to) => style({ monospaceFont: chosen(to) as Styling["monospaceFont"] })} />
      </div>
      {mayAdd && <div><Button small icon={<Upload />} onPress={() => setAdding(true)}>Add a typeface</Button></div>}
      {adding && (
        <NewFont
          org={org}
          onClose={() => setAdding(false)}
          onMade={(font) => {
            style({ font: { id: font.id, custom: true, fontFamily: font.fontFamily, fontFaces: font.fontFaces } as Styling["font"] });
            setAdding(false);
          }}
        />
      )}
    </Group>
  );
}

function Top({ look, onChange, wrong, place }: Some & { place: Place }) {
  const header = look.header ?? {};
  const icon = look.favicon ?? {};
  const put = (some: Partial<Header>) => onChange({ ...look, header: { ...header, ...some } });
  const links = header.links ?? [];
  const change = (at: number, some: Partial<Link>) => put({ links: links.map((one, index) => (index === at ? { ...one, ...some } : one)) });
  return (
    <Group title="Header and icon">
      <Select label="Header" options={HEADERS} value={header.preset ?? "default"} onChange={(to) => put({ preset: to as Header["preset"] })} />
      {header.preset === "custom" && <Colour label="Its ground" value={header.backgroundColor ?? { light: "", dark: "" }} onChange={(backgroundColor) => put({ backgroundColor })} tell={false} />}
      <Pictures of={place} label="Logo" value={header.logo} onChange={(logo) => put({ logo })} wrong={wrong.at("header")} help="It stands in the place of the title. An address, or a file of at most 1 MiB." />
      <Pictures of={place} label="Icon of tabs" value={icon.icon} onChange={(to) => onChange({ ...look, favicon: to ? { icon: to } : {} })} wrong={wrong.at("favicon")} help="Without one, the emoji below or the first letter of the title in the primary colour." />
      {!icon.icon && <Field label="Emoji in its place" value={emoji(icon.emoji)} onChange={(to) => onChange({ ...look, favicon: to ? { emoji: to } : {} })} maxLength={50} />}
      {links.map((one, at) => (
        <fieldset key={at} className="choices">
          <legend>Link {at + 1}</legend>
          <div className="pair">
            <Field label="Title" value={one.title} onChange={(title) => change(at, { title })} wrong={wrong.below(`header.links[${at}].title`)} />
            <Field label="Address" type="url" value={addressOf(one)} onChange={(url) => change(at, { to: { kind: "url", url } })} wrong={wrong.below(`header.links[${at}].title`) ? undefined : wrong.below(`header.links[${at}]`)} />
            <Select label="Looks like" options={options({ link: "A link", "button-primary": "A button", "button-secondary": "A quiet button" })} value={one.style ?? "link"} onChange={(to) => change(at, { style: to as Link["style"] })} />
          </div>
          <div><Button small look="quiet" icon={<Trash2 />} onPress={() => put({ links: links.filter((_, index) => index !== at) })}>Take link {at + 1} out</Button></div>
        </fieldset>
      ))}
      <div><Button small icon={<Plus />} onPress={() => put({ links: [...links, { title: "", to: { kind: "url", url: "" } }] })}>Add a link</Button></div>
    </Group>
  );
}

function Said({ look, onChange, wrong }: Some) {
  const said = look.announcement ?? { enabled: false, message: "" };
  const put = (some: Partial<typeof said>) => onChange({ ...look, announcement: { ...said, ...some } });
  return (
    <Group title="Announcement">
      <Check label="Show a line above every page" value={said.enabled} onChange={(enabled) => put({ enabled })} />
      {said.enabled && (
        <>
          <Field label="Words" value={said.message} onChange={(message) => put({ message })} wrong={wrong.at("announcement")} maxLength={128} />
          <Select label="Kind" options={SAYS} value={said.style ?? "info"} onChange={(to) => put({ style: to as "info" })} />
        </>
      )}
    </Group>
  );
}

function Words({ look, onChange, wrong, variant }: Some & { variant: boolean }) {
  const items = look.pageActions?.items ?? [];
  const flip = (name: keyof typeof ACTIONS, on: boolean) => onChange({ ...look, pageActions: { items: on ? [...items, name] : items.filter((one) => one !== name) } });
  return (
    <Group title="Pages">
      <Select label="Language of buttons and menus" options={LOCALES} value={look.internationalization?.locale ?? "en"} onChange={(to) => onChange({ ...look, internationalization: { locale: to as "en" } })} wrong={wrong.at("internationalization")} />
      <Check label="Ask whether a page was helpful" value={look.feedback?.enabled ?? false} onChange={(enabled) => onChange({ ...look, feedback: { enabled } })} />
      <Check label="Lead to the next and previous page" value={look.pagination?.enabled ?? true} onChange={(enabled) => onChange({ ...look, pagination: { enabled } })} />
      <Check label="Links to elsewhere open a tab" value={look.externalLinks?.target === "blank"} onChange={(is) => onChange({ ...look, externalLinks: { target: is ? "blank" : "self" } })} />
      {!variant && (
        <fieldset className="choices">
          <legend>What readers can do with a page</legend>
          {(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[]).map((name) => (
            <Check key={name} label={ACTIONS[name]} value={items.includes(name)} onChange={(on) => flip(name, on)} />
          ))}
        </fieldset>
      )}
    </Group>
  );
}
