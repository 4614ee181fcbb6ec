import { useEffect } from "react";
import { subscribe } from "valtio";
import { memoRule } from "../../../address/memo-rule.ts";
import { watchAddress } from "../store/address-check.ts";
import { restoreDraft, saveDraft } from "../store/draft.ts";
import type { ExchangeStore } from "../store/provider.tsx";
import { instrumentOf } from "../store/selectors.ts";

/** Keeps the destination step's addresses checked and its draft kept, while the step is mounted. */
export function useLiveDestination({ catalogue, state, live }: ExchangeStore): void {
  useEffect(() => {
    restoreDraft(state);
    for (const [name, slug] of [
      ["destination", state.to],
      ["refund", state.from],
    ] as const)
      state[name].isMemoRefused ||= memoRule(instrumentOf(catalogue, slug).networkTitle).isWrong(state[name].memo);
    const followers = (["destination", "refund"] as const).map((name) => watchAddress(catalogue, state, name));
    live.settleAddresses = async () => void (await Promise.all(followers.map(({ settle }) => settle())));
    const unsubscribe = subscribe(state, () => {
      // Kept before the press; an order that was made drops it, whatever its rate does after that.
      if (state.creation.status !== "busy") saveDraft(state);
    });
    return () => {
      unsubscribe();
      for (const follower of followers) follower.stop();
    };
  }, [catalogue, state, live]);
}
