/** Something that is done by one operation: what it makes stale is asked again, and the refusal is kept for the form. */
import { type QueryKey, useMutation, useQueryClient } from "@tanstack/react-query";
import { sentence } from "./client";

type Options<T> = {
  /** The beginnings of the names of what it changes. */
  stale: QueryKey[];
  done?: (made: T) => unknown;
  /** Where no form shows the sentence of a refusal. */
  failed?: (sentence: string) => void;
};

export function useDeed<T, A = void>(act: (input: A) => Promise<T>, { stale, done, failed }: Options<T>) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async (made) => {
      await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
      await done?.(made);
    },
    onError: (error) => failed?.(sentence(error)),
  });
}
