/** A new page of a change request: its title, and then its text. */
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { space as spaceOf } from "../../api/content";
import { LIVE } from "../../api/live";
import { only } from "../../api/refused";
import { insert } from "../../api/writing";
import { Asked } from "../../parts/asked";
import { Button, ButtonLink } from "../../parts/button";
import { Field } from "../../parts/field";
import { Notice } from "../../parts/notice";
import { Head } from "../../parts/shell";

type Place = { org: string; space: string; number: number };

export default function New(props: Place) {
  return <main id="content" className="place" tabIndex={-1}>{props.number === LIVE ? <Directly {...props} /> : <Form {...props} />}</main>;
}

/** Only where the space is live, a page is made of which readers know at once. */
function Directly(props: Place) {
  const asked = useQuery(spaceOf(props.space));
  return (
    <Asked of={asked} say={sentence}>
      {(one) =>
        one.editMode === "live" ? <Form {...props} /> : (
          <Notice tone="warning" action={<ButtonLink small href={addresses.space(props.org, props.space)}>Go to the pages</ButtonLink>}>
            This space is written by change requests: choose Add or arrange pages.
          </Notice>
        )
      }
    </Asked>
  );
}

function Form({ org, space, number }: Place) {
  const [title, setTitle] = useState("");
  const [, go] = useLocation();
  const queries = useQueryClient();
  const here = addresses.place(addresses.written(org, space, number));
  const make = useMutation({
    mutationFn: () => insert(space, number, title.trim()),
    onSuccess: async (page) => {
      await queries.invalidateQueries({ queryKey: ["pages", space] });
      await queries.invalidateQueries({ queryKey: ["change-request", space] });
      go(addresses.write(org, space, number, page), { replace: true });
    },
  });
  return (
    <>
      <Head title="New page" note={number === LIVE ? "Readers see it at once." : `It becomes part of change request #${number}.`} />
      <form
        className="stack new-page"
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim()) make.mutate();
        }}
      >
        <Field label="Title" autoFocus value={title} onChange={setTitle} wrong={only(make.error, "title")} />
        <div className="row">
          <Button look="primary" type="submit" isDisabled={!title.trim()} isPending={make.isPending}>Write it</Button>
          <ButtonLink href={here}>Cancel</ButtonLink>
        </div>
      </form>
    </>
  );
}
