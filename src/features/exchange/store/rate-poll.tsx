import { SWRConfig } from "swr";
import { useSnapshot } from "valtio";
import { useRatePoll } from "../api.ts";
import type { PolledRate, RatePoll as Poll } from "./poll.ts";

type RatePollProps = { readonly poll: Poll; readonly onPolled: (polled: PolledRate) => void };

/** Polls rates. A component, so that SWR comes with it and not with the calculator; with a cache for this poll alone. */
export const RatePoll = (props: RatePollProps) => (
  <SWRConfig value={{ provider: () => new Map() }}>
    <Rounds {...props} />
  </SWRConfig>
);

function Rounds({ poll, onPolled }: RatePollProps) {
  useRatePoll(useSnapshot(poll), onPolled);
  return null;
}
