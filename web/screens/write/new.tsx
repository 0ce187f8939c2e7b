/** A new page of a change request: its title, and then its text. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import * as addresses from "../../api/addresses";
import { sentence } from "../../api/client";
import { LIVE } from "../../api/live";
import { insert } from "../../api/writing";
import { Button, ButtonLink } from "../../parts/button";
import { Field } from "../../parts/field";
import { Head } from "../../parts/shell";

export default function New({ org, space, number }: { org: string; space: string; number: number }) {
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
    <main id="content" className="place" tabIndex={-1}>
      <Head title="New page" note={number === LIVE ? "Readers see it at once." : `It becomes part of change request #${number}.`} />
      <form
        className="stack new-page"
        onSubmit={(event) => {
          event.preventDefault();
          if (title.trim()) make.mutate();
        }}
      >
        <Field label="Title" autoFocus value={title} onChange={setTitle} wrong={make.error ? sentence(make.error) : undefined} />
        <div className="row">
          <Button look="primary" type="submit" isDisabled={!title.trim()} isPending={make.isPending}>Write it</Button>
          <ButtonLink href={here}>Cancel</ButtonLink>
        </div>
      </form>
    </main>
  );
}
