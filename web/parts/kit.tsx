/** What an integration draws of itself: its elements by our parts, its fields' values, and what is pressed told back to it. */
import { type ReactNode, useState } from "react";
import { Button } from "./button";
import { Check } from "./check";
import { Field } from "./field";
import { Notice } from "./notice";
import { Select } from "./select";
import "./kit.css";

export type Json = Record<string, unknown>;
type Props = { drawn: Json; isPending: boolean; onAction: (action: Json, state: Json) => void };
type Draws = { state: Json; set: (name: string, to: unknown) => void; act: (action: Json) => void; busy: boolean };

/** The deepest that elements are drawn within one another. */
const DEEP = 24;

export function Kit({ drawn, isPending, onAction }: Props) {
  const [typed, setTyped] = useState<Json>({});
  const state = { ...(drawn.state as Json | undefined), ...typed };
  const draws: Draws = {
    state,
    set: (name, to) => setTyped((before) => ({ ...before, [name]: to })),
    act: (action) => onAction(bound(action, state), state),
    busy: isPending,
  };
  return <div className="kit">{draw(drawn.element ?? drawn, draws, 0)}</div>;
}

/** What the state has takes the place of what names it. */
function bound(value: unknown, state: Json): Json {
  if (Array.isArray(value)) return value.map((one) => bound(one, state)) as unknown as Json;
  if (!value || typeof value !== "object") return value as Json;
  const name = (value as Json).$state;
  if (typeof name === "string") return state[name] as Json;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, bound(one, state)]));
}

function draw(node: unknown, draws: Draws, depth: number): ReactNode {
  if (depth > DEEP || node === null || node === undefined) return null;
  if (Array.isArray(node)) return node.map((one, index) => <Part key={index} node={one} draws={draws} depth={depth + 1} />);
  return <Part node={node} draws={draws} depth={depth} />;
}

function Part({ node, draws, depth }: { node: unknown; draws: Draws; depth: number }): ReactNode {
  if (typeof node === "string") return node;
  const one = (node ?? {}) as Json;
  const within = () => draw(one.children, draws, depth + 1);
  const words = (name: string) => (typeof one[name] === "string" ? (one[name] as string) : wordsOf(one[name], draws.state));
  switch (one.type) {
    case "hstack":
      return <div className="row wrap">{within()}</div>;
    case "box":
      return <div className="grow">{within()}</div>;
    case "text":
      return <p className={one.style === "bold" ? "strong" : one.style === "secondary" ? "note" : ""}>{wordsOf(one.children, draws.state)}</p>;
    case "markdown":
    case "codeblock":
      return one.type === "codeblock" ? <pre className="kit-code">{wordsOf(one.content, draws.state)}</pre> : <p className="kit-lines">{wordsOf(one.content, draws.state)}</p>;
    case "divider":
      return <hr />;
    case "hint":
      return <Notice>{within()}</Notice>;
    case "link":
      return <Leads to={(one.target as Json | undefined)?.url}>{wordsOf(one.children, draws.state)}</Leads>;
    case "card":
    case "step":
      return <div className="panel">{words("title") && <p className="strong">{words("title")}</p>}{words("hint") && <p className="note">{words("hint")}</p>}{within()}</div>;
    case "input":
      return <Labelled one={one} draws={draws} label={words("label")} hint={words("hint")} />;
    case "button":
      return <Press one={one} draws={draws} />;
    case "textinput":
    case "select":
    case "switch":
    case "checkbox":
    case "radio":
      return <Labelled one={{ element: one }} draws={draws} label={String(one.label ?? one.state ?? "")} hint="" />;
    default:
      return <div className="stack">{within()}</div>;
  }
}

function wordsOf(node: unknown, state: Json): string {
  if (node === null || node === undefined) return "";
  if (typeof node !== "object") return String(node);
  if (Array.isArray(node)) return node.map((one) => wordsOf(one, state)).join("");
  const one = node as Json;
  return typeof one.$state === "string" ? wordsOf(state[one.$state], state) : wordsOf(one.children, state);
}

/** Addresses of the web only: what an integration says is a stranger's word. */
function Leads({ to, children }: { to: unknown; children: ReactNode }) {
  return typeof to === "string" && /^https?:\/\//i.test(to) ? <a className="link" href={to} target="_blank" rel="noopener noreferrer">{children}</a> : <>{children}</>;
}

function Press({ one, draws }: { one: Json; draws: Draws }) {
  const action = one.onPress as Json | undefined;
  const label = String(one.label ?? one.tooltip ?? "Go on");
  const press = () => {
    const url = action?.url;
    if (action?.action === "@ui.url.open") {
      if (typeof url === "string" && /^https?:\/\//i.test(url)) open(url, "_blank", "noopener,noreferrer");
    } else if (action) draws.act(action);
  };
  return <div><Button look={one.style === "primary" ? "primary" : one.style === "danger" ? "danger" : "plain"} isPending={draws.busy} isDisabled={one.disabled === true || !action} onPress={press}>{label}</Button></div>;
}

function Labelled({ one, draws, label, hint }: { one: Json; draws: Draws; label: string; hint: string }) {
  const input = (one.element ?? {}) as Json;
  const name = String(input.state ?? input.id ?? "");
  const value = draws.state[name] ?? input.initialValue ?? input.value;
  if (input.type === "button") return <div className="stack"><div><p className="strong">{label}</p>{hint && <p className="note">{hint}</p>}</div><Press one={input} draws={draws} /></div>;
  const change = (to: unknown) => {
    draws.set(name, to);
    const action = input.onValueChange as Json | undefined;
    if (action) draws.act(bound(action, { ...draws.state, [name]: to }));
  };
  if (input.type === "switch" || input.type === "checkbox") return <Check label={label} help={hint || undefined} value={Boolean(value)} onChange={change} isDisabled={input.disabled === true} />;
  if (input.type === "select" || input.type === "radio") {
    const options = (Array.isArray(input.options) ? (input.options as Json[]) : []).map((option) => ({ value: String(option.id), words: String(option.label) }));
    return <Select label={label} help={hint || undefined} value={String(value ?? "")} options={value ? options : [{ value: "", words: "Choose" }, ...options]} onChange={change} />;
  }
  const secret = input.inputType === "password";
  return <Field label={label} help={hint || undefined} value={String(value ?? "")} type={secret ? "password" : "text"} lines={input.multiline === true ? 4 : undefined} placeholder={typeof input.placeholder === "string" ? input.placeholder : undefined} isDisabled={input.disabled === true} autoComplete="off" onChange={change} />;
}
