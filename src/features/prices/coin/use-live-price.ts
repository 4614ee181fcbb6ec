import { startTransition, useEffect, useState } from "react";
import { abortOnCleanup } from "../../../shared/page/abort-on-cleanup.ts";
import { atRest } from "../../../shared/page/at-rest.ts";
import type { LivePair } from "../load.ts";

type LivePrice = { readonly price: string; readonly at: string };

/** The market price of a pair's first coin as the rates socket brings it, once the page is at rest; null before its first message, and while it is closed. */
export function useLivePrice(pair: LivePair | null): LivePrice | null {
  const [live, setLive] = useState<LivePrice | null>(null);
  useEffect(() => {
    if (pair === null) return undefined;
    let close = (): void => undefined;
    const cancel = abortOnCleanup(async (signal) => {
      await atRest();
      if (signal.aborted) return;
      try {
        const { RatesSocket, ratesSocketUrl } = await import("../../../shared/http/rates-socket.ts");
        if (signal.aborted) return;
        const socket = new RatesSocket(ratesSocketUrl(), {
          onRate: ({ marketLeftPrice: price, updatedAt: at }) => startTransition(() => setLive({ price, at })),
          onError: () => setLive(null),
          // What it brought last grows old: the list of prices has newer ones.
          onState: (state) => (state === "open" ? undefined : setLive(null)),
        });
        close = () => socket.close();
        socket.connect();
        socket.request({
          ...pair,
          claimedDepositAmountCurrency: pair.instrumentFromSlug,
          rateMode: "FLOATING",
          exchangeType: "crypto",
        });
      } catch (error) {
        console.warn("live prices can't be loaded", error);
      }
    });
    return () => {
      cancel();
      close();
    };
  }, [pair]);
  return live;
}
