import type { CatalogueInstrument } from "../../catalogue/index.ts";
import type { Log } from "../../base/logging/log.ts";
import type { NetworkReader } from "../../chains/port.ts";
import { feeKey } from "../port.ts";

const REFRESH_MS = 15_000;
/** A fee may be quoted for this long after its network stopped answering. */
const VALID_MS = 120_000;
/** A predecessor's fee serves for this long: when its network said it is not known. */
const TAKEN_OVER_MS = 30_000;

export type NetworkFees = {
  /** By `feeKey`, in minor units of each network's own coin; requested from the networks at most every 15 s. */
  take(): Promise<ReadonlyMap<string, bigint>>;
  /** Takes over fees that another process published some milliseconds ago, until the networks answer this one. */
  remember(published: ReadonlyMap<string, bigint>, ageMs: number): void;
};

export type NetworkFeesOptions = {
  instruments: Iterable<CatalogueInstrument>;
  networks: ReadonlyMap<string, Pick<NetworkReader, "estimateFee">>;
  log: Log;
  /** How long a snapshot waits for a network. */
  timeoutMs?: number;
  now?: () => number;
};

export function createNetworkFees({
  instruments,
  networks,
  log,
  timeoutMs = 2_000,
  now = Date.now,
}: NetworkFeesOptions): NetworkFees {
  const asked = [...instruments].flatMap(({ slug, networkTitle, isActive }) => {
    const reader = networks.get(networkTitle);
    return isActive && reader
      ? [
          {
            slug,
            networkTitle,
            reader,
            running: null as Promise<void> | null,
            askedAt: Number.NEGATIVE_INFINITY,
            isSlow: false,
          },
        ]
      : [];
  });
  const fees = new Map<string, { fee: bigint; at: number }>();

  const ask = (one: (typeof asked)[number]): Promise<void> => {
    if (one.running) return one.running;
    if (now() - one.askedAt < REFRESH_MS) return Promise.resolve();
    one.askedAt = now();
    one.running = one.reader
      .estimateFee(one.slug)
      .then((fee) => void fees.set(feeKey(one.networkTitle, one.slug), { fee, at: now() }))
      .catch((error: unknown) => {
        one.askedAt = Number.NEGATIVE_INFINITY;
        log.warn(
          { err: error, networkTitle: one.networkTitle, slug: one.slug },
          "a network fee could not be estimated",
        );
      })
      .finally(() => {
        one.running = null;
        one.isSlow = false;
      });
    return one.running;
  };

  return {
    remember: (published, ageMs) => {
      const at = now() - Math.max(0, ageMs) - (VALID_MS - TAKEN_OVER_MS);
      for (const { slug, networkTitle } of asked) {
        const key = feeKey(networkTitle, slug);
        const fee = published.get(key);
        if (fee !== undefined && at > (fees.get(key)?.at ?? Number.NEGATIVE_INFINITY)) fees.set(key, { fee, at });
      }
    },
    async take() {
      const timeout = Promise.withResolvers<void>();
      const timer = setTimeout(timeout.resolve, timeoutMs);
      // A network that kept a snapshot waiting once keeps no other waiting until it answers.
      const awaited = asked.flatMap((one) => {
        const answer = ask(one);
        return one.isSlow ? [] : [answer];
      });
      await Promise.race([Promise.all(awaited), timeout.promise]);
      clearTimeout(timer);
      for (const one of asked) one.isSlow = one.running !== null;
      const usable = [...fees].filter(([, { at }]) => now() - at <= VALID_MS);
      return new Map(usable.map(([key, { fee }]) => [key, fee]));
    },
  };
}
