import { useEffect, useEffectEvent, useState } from "react";
import useSWR from "swr";
import { keepsPolling } from "#contract/order-progress.ts";
import { serverNow } from "../../../shared/http/server-clock.ts";
import { readOrder } from "../api.ts";
import { isAddressIncorrect } from "../load.ts";
import { isWatched, useAbortOnHide, useOnRestore, WHILE_WATCHED } from "../page/polling.ts";
import { type SavedOrder, savedOrders } from "../store.ts";

/** Between two rounds: one page may list many orders. */
const ROUND_MS = 30_000;

export type SavedOrderRounds = {
  /** The last round found the service away: rows are older than they should be. */
  readonly isFailing: boolean;
  /** Ids that the service knows no more. */
  readonly gone: ReadonlySet<string>;
  /** Reads the device's list anew and begins a round. */
  readonly refresh: () => void;
};

/**
 * Asks for the saved orders that are not finished, one after the other, in rounds while the page is watched. Needs an SWR
 * cache of its own, so that a new page begins with no failure.
 */
export function useSavedOrderRounds(offset: number): SavedOrderRounds {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set());
  const { begin, abort } = useAbortOnHide();

  const ask = async ({ order: { orderId }, destinationAddress }: SavedOrder, signal: AbortSignal): Promise<void> => {
    try {
      const order = await readOrder({ orderId, destinationAddress }, signal);
      await savedOrders.renew({ order, destinationAddress, seenAt: new Date(serverNow(offset)).toISOString() });
    } catch (error) {
      if (!isAddressIncorrect(error)) throw error;
      setGone((before) => new Set([...before, orderId]));
    }
  };
  /** Whether the service was away; undefined for a round that was broken off. */
  const round = async (): Promise<boolean | undefined> => {
    const signal = begin();
    try {
      for (const saved of await savedOrders.read()) {
        if (!keepsPolling(saved.order, gone.has(saved.order.orderId))) continue;
        if (signal.aborted || !isWatched()) return undefined;
        await ask(saved, signal);
      }
      return false;
    } catch (error) {
      if (signal.aborted) return undefined;
      console.debug("saved orders can't be asked for now", error);
      return true;
    }
  };
  const [isFailing, setFailing] = useState(false);
  const { mutate } = useSWR("saved orders", round, {
    ...WHILE_WATCHED,
    revalidateOnMount: false,
    refreshInterval: ROUND_MS,
    onSuccess: (wasAway) => {
      if (wasAway !== undefined) setFailing(wasAway);
    },
  });
  const refresh = () => {
    abort();
    void mutate();
  };
  const start = useEffectEvent(refresh);
  useEffect(() => {
    start();
    return abort;
  }, [abort]);
  useOnRestore(refresh);
  return { isFailing, gone, refresh };
}
