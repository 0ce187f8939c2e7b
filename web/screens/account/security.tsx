/** How somebody signs in, and where: the password, and the browsers that are signed in. */
import { useQuery } from "@tanstack/react-query";
import { LogOut, Monitor } from "lucide-react";
import { useState } from "react";
import { changePassword, endOthers, endSession, type Session, sessions } from "../../api/account";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { wrongs } from "../../api/refused";
import { Ago } from "../../parts/ago";
import { Asked } from "../../parts/asked";
import { Badge } from "../../parts/badge";
import { Button } from "../../parts/button";
import { Field } from "../../parts/field";
import { Form } from "../../parts/form";
import { Head, Section } from "../../parts/shell";
import { fail, toast } from "../../parts/toast";
import "./account.css";

const HOW: Record<Session["how"], string> = { password: "with your password", code: "by a code by mail", saml: "by single sign-on", oidc: "by single sign-on" };

export default function Security() {
  return (
    <>
      <Head title="Security" note="How you sign in, and where you are signed in." />
      <div className="stack">
        <Password />
        <Browsers />
      </div>
    </>
  );
}

function Password() {
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const save = useDeed(() => changePassword({ current, password }), {
    stale: [["sessions"]],
    done: () => {
      setCurrent("");
      setPassword("");
      toast("Your password is changed. Other browsers have to sign in again.");
    },
  });
  const wrong = wrongs(save.error, ["current", "password"]);
  return (
    <div className="panel form-narrow">
      <h2>Password</h2>
      <Form save="Change the password" onSubmit={() => save.mutate()} isPending={save.isPending} isDisabled={!current || !password} wrong={wrong.rest}>
        <Field label="Your password now" type="password" autoComplete="current-password" value={current} onChange={setCurrent} wrong={wrong.at("current")} />
        <Field label="Your new password" type="password" autoComplete="new-password" value={password} onChange={setPassword} help="Long words that you remember are better than short ones that you do not." wrong={wrong.at("password")} />
      </Form>
    </div>
  );
}

function Browsers() {
  const asked = useQuery(sessions);
  const stale = [["sessions"]];
  const end = useDeed((id: string) => endSession(id), { stale, failed: fail, done: () => toast("That browser is signed out.") });
  const others = useDeed(() => endOthers(), { stale, failed: fail, done: () => toast("Every other browser is signed out.") });
  return (
    <Section title="Browsers" end={(asked.data?.length ?? 0) > 1 && <Button small isPending={others.isPending} onPress={() => others.mutate()}>Sign out all others</Button>}>
      <Asked of={asked} say={sentence}>
        {(found) => (
          <ul className="plain told" aria-label="Browsers that are signed in">
            {found.map((one) => (
              <li key={one.id}>
                <Monitor aria-hidden="true" className="told-icon" />
                <div className="grow">
                  <p className="strong">Signed in {HOW[one.how]} {one.current && <Badge tone="success">This browser</Badge>}</p>
                  <p className="note"><Ago at={one.createdAt} />, used <Ago at={one.lastUsedAt} /></p>
                </div>
                {one.current ? <a className="button plain small" href="/logout"><LogOut aria-hidden="true" />Sign out</a> : <Button small icon={<LogOut />} isPending={end.isPending && end.variables === one.id} onPress={() => end.mutate(one.id)}>Sign out</Button>}
              </li>
            ))}
          </ul>
        )}
      </Asked>
    </Section>
  );
}
