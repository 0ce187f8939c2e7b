/** How an integration is configured: by the fields that it asks for, or by a screen that it draws itself. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import * as api from "../../api/integrations";
import { wrongs } from "../../api/refused";
import { Asked } from "../../parts/asked";
import { Check } from "../../parts/check";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { type Json, Kit } from "../../parts/kit";
import { Notice } from "../../parts/notice";
import { Select } from "../../parts/select";
import { toast } from "../../parts/toast";

type Property = { type: "string" | "number" | "boolean" | "button"; title?: string; description?: string; default?: unknown; enum?: string[]; callback_url?: string; button_text?: string };
type Asks = { properties?: Record<string, Property>; required?: string[]; componentId?: string };
type Props = { one: api.Integration; installation: string; at: api.Where; values: api.Values; onDone?: () => void };

/** What it asks for there; nothing where it asks for nothing. */
export const levelOf = (one: api.Integration, level: api.Level) => one.configurations[level] as Asks | undefined;

export function Configure(props: Props) {
  const asks = levelOf(props.one, props.at.level);
  if (!asks) return <p className="note">It asks for nothing.</p>;
  return asks.componentId ? <Drawn {...props} component={asks.componentId} /> : <Fields {...props} asks={asks} />;
}

const stale = (one: api.Integration, at: api.Where) => [["installations", at.org], ["placements", one.name]];

function Fields({ one, installation, at, values, asks, onDone }: Props & { asks: Asks }) {
  const properties = Object.entries(asks.properties ?? {});
  const form = useDraft<api.Values>(Object.fromEntries(properties.map(([name, { default: usual }]) => [name, values[name] ?? usual])));
  const deed = useDeed(
    () => api.configure(one.name, installation, at, Object.fromEntries(Object.entries(form.value).filter(([, value]) => value !== undefined && value !== ""))),
    {
      stale: stale(one, at),
      done: () => {
        form.forget();
        toast("Saved.");
        onDone?.();
      },
    },
  );
  const wrong = wrongs(deed.error, properties.flatMap(([name]) => [`configuration.${name}`, name]));
  const at_ = (name: string) => wrong.at(`configuration.${name}`) ?? wrong.at(name);
  const missing = (asks.required ?? []).filter((name) => form.value[name] === undefined || form.value[name] === "");
  return (
    <div className="panel form-narrow">
      <Form save="Save" onSubmit={() => deed.mutate()} isPending={deed.isPending} isDisabled={!form.changed || missing.length > 0} wrong={wrong.rest}>
        {properties.map(([name, asked]) => <One key={name} name={name} asked={asked} required={asks.required?.includes(name) ?? false} value={form.value[name]} onChange={form.set(name)} wrong={at_(name)} />)}
      </Form>
    </div>
  );
}

function One({ name, asked, required, value, onChange, wrong }: { name: string; asked: Property; required: boolean; value: unknown; onChange: (to: unknown) => void; wrong?: string }) {
  const label = `${asked.title ?? name}${required ? " (required)" : ""}`;
  if (asked.type === "boolean") return <Check label={label} help={asked.description} value={Boolean(value)} onChange={onChange} />;
  if (asked.type === "button")
    return <div className="stack"><p className="strong">{label}</p>{asked.description && <p className="note">{asked.description}</p>}<div>{/^https?:\/\//i.test(asked.callback_url ?? "") && <a className="button plain" href={asked.callback_url} target="_blank" rel="noopener noreferrer">{asked.button_text}</a>}</div></div>;
  if (asked.enum) return <Select label={label} help={asked.description} wrong={wrong} value={String(value ?? "")} onChange={(to) => onChange(to || undefined)} options={[...(required && value ? [] : [{ value: "", words: "Choose" }]), ...asked.enum.map((one) => ({ value: one, words: one }))]} />;
  const change = (to: string) => onChange(asked.type === "number" ? (to.trim() === "" ? undefined : Number.isNaN(Number(to)) ? to : Number(to)) : to);
  return <Field label={label} help={asked.description} wrong={wrong} inputMode={asked.type === "number" ? "decimal" : undefined} value={String(value ?? "")} onChange={change} autoComplete="off" />;
}

/** Its own screen: what is pressed in it is told to its script, which draws again; when it says that it is done, so it is. */
function Drawn({ one, installation, at, values, component, onDone }: Props & { component: string }) {
  const props = { installation: { id: installation, configuration: at.level === "account" ? values : {} }, ...(at.level === "space" ? { spaceInstallation: { space: at.id, configuration: values } } : {}), ...(at.level === "site" ? { siteInstallation: { site: at.id, configuration: values } } : {}) };
  const [drawn, setDrawn] = useState<Json | null>(null);
  const first = useQuery({ queryKey: ["drawn", one.name, component, at.level, at.id, JSON.stringify(values)], queryFn: () => api.draw(one.name, component, at, props), staleTime: Infinity, gcTime: 0, retry: false });
  const deed = useDeed(({ action, state }: { action: Json; state: Json }) => api.draw(one.name, component, at, props, state, action), {
    stale: stale(one, at),
    done: (made) => {
      if (made.type === "complete") {
        toast("Saved.");
        onDone?.();
      } else setDrawn(made);
    },
  });
  return (
    <div className="panel form-narrow">
      <Asked of={first} say={sentence}>{(found) => <Kit drawn={drawn ?? found} isPending={deed.isPending} onAction={(action, state) => deed.mutate({ action, state })} />}</Asked>
      {deed.error && <Notice tone="danger">{sentence(deed.error)}</Notice>}
      <p className="note">{`This form is drawn by ${one.title}. What you type in it goes to its script.`}</p>
    </div>
  );
}
