import { setBounded } from "../bounded-map.ts";

/** `burst` at once, and so many a second come back. */
export type Bucket = { burst: number; perSecond: number };

/** A bucket that fills up again with time; `take` is false when it is empty. */
export function createTokenBucket({ burst, perSecond }: Bucket, now: () => number): { take(): boolean } {
  let left = burst;
  let at = now();
  return {
    take() {
      const time = now();
      left = Math.min(burst, left + ((time - at) / 1000) * perSecond);
      at = time;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

/** Who takes from a bucket: an address, and the network of an IPv6 address. */
export type BucketClient = { address: string; network: string | null };

/** What a network has of what one address has. */
export const NETWORK_SHARE = 4;
/** Buckets of a kind; the one that was not asked for the longest is full by the time that it is dropped. */
const MAX_BUCKETS = 20_000;

/** Buckets for each address and each network; they outlive connections, so that a new one is no new bucket. */
export function createClientBuckets(
  { burst, perSecond }: Bucket,
  now: () => number,
  max = MAX_BUCKETS,
): { take(client: BucketClient): boolean } {
  const addresses = new Map<string, { take(): boolean }>();
  const networks = new Map<string, { take(): boolean }>();
  const takeFrom = (buckets: typeof addresses, name: string, times: number): boolean => {
    const bucket = buckets.get(name) ?? createTokenBucket({ burst: burst * times, perSecond: perSecond * times }, now);
    setBounded(buckets, name, bucket, max);
    return bucket.take();
  };
  return {
    // The network first: once it is refused, none of its addresses takes the place of another one's bucket.
    take: ({ address, network }) =>
      (network === null || takeFrom(networks, network, NETWORK_SHARE)) && takeFrom(addresses, address, 1),
  };
}
