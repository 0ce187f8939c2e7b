/** The look of a site, or of one of its variants: a form, and beside it a page as it would be. */
import { useQuery } from "@tanstack/react-query";
import { Undo2 } from "lucide-react";
import { useMemo, useState } from "react";
import { find, html, pages } from "../../api/content";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { differing, sheet, words } from "../../api/look";
import { seenAt } from "../../api/pictures";
import { organization } from "../../api/queries";
import { wrongs } from "../../api/refused";
import * as sites from "../../api/sites";
import { Asked } from "../../parts/asked";
import { Button } from "../../parts/button";
import { Form } from "../../parts/form";
import { Help } from "../../parts/help";
import { LookFrame } from "../../parts/look-frame";
import { Head } from "../../parts/shell";
import { Select } from "../../parts/select";
import { fail, toast } from "../../parts/toast";
import type { Shown } from "./at";
import { LookFields } from "./look-fields";
import { sectionsOf, variantsOf } from "./order";

const FIELDS = ["title", "styling", "header.links", "footer.groups", "header", "footer", "announcement", "favicon", "internationalization", "privacyPolicy", "socialPreview", "pageActions", "themes"];

export default function Look({ at, site }: Shown) {
  const shape = useQuery(sites.structure(at.org, at.site));
  const [variant, setVariant] = useState("");
  const whole = useQuery(sites.customization(at.org, at.site));
  const own = useQuery({ ...sites.override(at.org, at.site, variant), enabled: variant !== "" });
  const variants = shape.data ? variantsOf(shape.data) : [];
  const asked = variant ? own : whole;
  return (
    <>
      <Head title="Look" note="What you change is shown beside the form at once, and to readers when you save it." actions={<Help chapter="running/appearance" />} />
      {variants.length > 1 && (
        <div className="form-narrow look-of">
          <Select label="Of" value={variant} onChange={setVariant} options={[{ value: "", words: "The whole site" }, ...variants.map((one) => ({ value: one.id, words: `Only ${one.title}` }))]} />
        </div>
      )}
      <Asked of={asked} say={sentence}>
        {(stored) => <Editor key={`${variant} ${stored.updatedAt ?? ""}`} at={at} site={site} variant={variant} stored={stored} structure={shape.data} />}
      </Asked>
    </>
  );
}

type Editing = Shown & { variant: string; stored: sites.Customization; structure?: sites.Structure };

function Editor({ at, site, variant, stored, structure }: Editing) {
  const [look, setLook] = useState(stored);
  const changes = useMemo(() => differing(stored, look), [stored, look]);
  const changed = Object.keys(changes).length > 0;
  const stale = [["site", at.site]];
  const save = useDeed(
    () => {
      if (variant) return sites.setOverride(at.org, at.site, variant, changes);
      const { updatedAt: _, ...body } = look;
      return sites.setCustomization(at.org, at.site, body);
    },
    { stale, done: () => toast("Readers see the new look.") },
  );
  const clear = useDeed(() => sites.clearOverride(at.org, at.site, variant), { stale, failed: fail, done: () => toast("The variant looks like the site again.") });
  const wrong = wrongs(save.error, FIELDS);
  const mayAdd = useQuery(organization(at.org)).data?.permissions.createContent ?? false;
  return (
    <div className="look">
      <Form
        save="Save"
        onSubmit={() => save.mutate()}
        isPending={save.isPending}
        isDisabled={!changed || !site.permissions.edit}
        wrong={wrong.rest}
        also={
          <>
            {variant && <Button isPending={clear.isPending} onPress={() => clear.mutate()}>Like the site</Button>}
            {changed && <Button icon={<Undo2 />} onPress={() => setLook(stored)}>Take back</Button>}
          </>
        }
      >
        <LookFields look={look} onChange={setLook} wrong={wrong} variant={variant !== ""} org={at.org} site={at.site} mayAdd={mayAdd} mayDraw={site.permissions.admin} />
      </Form>
      <Preview at={at} site={site} look={look} structure={structure} variant={variant} />
    </div>
  );
}

const FROM_RIGHT = ["ar", "he"];

function Preview({ at, site, look, structure, variant }: Shown & { look: sites.Customization; structure?: sites.Structure; variant: string }) {
  const [theme, setTheme] = useState<"light" | "dark">("light");
  const shown = structure ? variantsOf(structure) : [];
  const one = shown.find((other) => other.id === variant) ?? shown.find((other) => other.default) ?? shown[0];
  const place = { org: at.org, space: one?.space.id ?? "" };
  const toc = useQuery({ ...pages(place), enabled: Boolean(one) }).data;
  const first = toc && find(toc, "")?.page;
  const page = useQuery({ ...html(place, first?.id ?? ""), enabled: Boolean(first) }).data;
  const title = look.title || site.title;
  return (
    <div className="look-preview" role="region" aria-label="Preview">
      <div className="form-narrow"><Select label="Preview in the theme" value={theme} onChange={(to) => setTheme(to as "light" | "dark")} options={[{ value: "light", words: "Light" }, { value: "dark", words: "Dark" }]} /></div>
      <LookFrame
        of={{
          title,
          page: first?.title ?? title,
          html: page?.html ?? SAMPLE,
          sheet: sheet(look),
          words: words(look),
          theme,
          mark: title.slice(0, 1),
          logo: look.header?.logo && seenAt(look.header.logo[theme]),
          links: (look.header?.preset === "none" ? [] : (look.header?.links ?? [])).map((link) => ({ title: link.title, style: link.style })),
          sections: structure ? sectionsOf(structure).map((section) => section.title) : [],
          announcement: look.announcement?.enabled ? { style: look.announcement.style ?? "info", message: look.announcement.message } : undefined,
          copyright: look.footer?.copyright,
          footLogo: look.footer?.logo && seenAt(look.footer.logo[theme]),
          columns: look.footer?.groups ?? [],
          direction: FROM_RIGHT.includes(look.internationalization?.locale ?? "en") ? "rtl" : "ltr",
        }}
      />
    </div>
  );
}

const SAMPLE = "<p>This is how text looks, with <a href='#'>a link</a> in it.</p><h2>A heading</h2><p>And more of it.</p>";
