/** The answers of the server that the screens share. */
import { type InvalidateOptions, type InvalidateQueryFilters, QueryClient, type QueryClientConfig, type QueryKey } from "@tanstack/react-query";
import { Refusal } from "./client";
import { SessionOver } from "./token";

const OPTIONS: QueryClientConfig = {
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // A refusal stays one; what did not arrive is asked for again.
      retry: (times, error) => !(error instanceof Refusal && error.status < 500) && !(error instanceof SessionOver) && times < 2,
    },
  },
};

export class Answers extends QueryClient {
  constructor() {
    super(OPTIONS);
  }

  /**
   * What changed is asked again. A first answer that is on its way then may be older than the change, and the library would take
   * it for the newest: where the connection is slow, what somebody just did was not on her screen. It is asked once more.
   */
  override async invalidateQueries<K extends QueryKey = QueryKey>(filters?: InvalidateQueryFilters<K>, options?: InvalidateOptions): Promise<void> {
    const first = new Set(this.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" }).filter((one) => one.state.data === undefined));
    await super.invalidateQueries(filters, options);
    if (first.size > 0) await super.invalidateQueries({ predicate: (one) => first.has(one) }, options);
  }
}
