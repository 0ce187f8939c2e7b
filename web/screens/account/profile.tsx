/** What others see of who looks: name and picture. */
import { useQuery } from "@tanstack/react-query";
import { changeUser } from "../../api/account";
import { sentence } from "../../api/client";
import { useDeed } from "../../api/deed";
import { me, type User } from "../../api/queries";
import { wrongs } from "../../api/refused";
import { Asked } from "../../parts/asked";
import { Avatar } from "../../parts/avatar";
import { Field } from "../../parts/field";
import { Form, useDraft } from "../../parts/form";
import { Head } from "../../parts/shell";
import { toast } from "../../parts/toast";

export default function Profile() {
  const asked = useQuery(me);
  return (
    <>
      <Head title="Profile" note="What others see of you, beside what you write." />
      <Asked of={asked} say={sentence}>{(user) => <Known user={user} />}</Asked>
    </>
  );
}

function Known({ user }: { user: User }) {
  const form = useDraft({ displayName: user.displayName, photoURL: user.photoURL ?? "" });
  const save = useDeed(
    () => changeUser(user.id, { ...form.changes, ...(form.changes.photoURL === undefined ? {} : { photoURL: form.changes.photoURL.trim() || null }) }),
    {
      stale: [["me"], ["members"]],
      done: () => {
        form.forget();
        toast("Saved.");
      },
    },
  );
  const wrong = wrongs(save.error, ["displayName", "photoURL"]);
  return (
    <div className="panel form-narrow">
      <div className="row">
        <Avatar name={form.value.displayName || "?"} picture={/^https:\/\/\S+$/.test(form.value.photoURL) ? form.value.photoURL : undefined} />
        <div className="grow">
          <p className="strong clip">{form.value.displayName || "Without a name"}</p>
          <p className="note clip">{user.email}</p>
        </div>
      </div>
      <Form save="Save" onSubmit={() => save.mutate()} isPending={save.isPending} isDisabled={!form.changed || !form.value.displayName.trim()} wrong={wrong.rest}>
        <Field label="Name" value={form.value.displayName} onChange={form.set("displayName")} autoComplete="name" wrong={wrong.at("displayName")} />
        <Field label="Address of a picture" value={form.value.photoURL} onChange={form.set("photoURL")} placeholder="https://" help="Of a square picture on the web. Without one your initials are shown." wrong={wrong.at("photoURL")} />
      </Form>
    </div>
  );
}
