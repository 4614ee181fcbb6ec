/**
 * What a process publishes to the others on its database: which rows to read now, and nothing else. The rows stay the truth, and a lost
 * invalidation only costs the time until the next poll (engine law 1). `networks`: a local chain was moved by hand; `orders`:
 * what is shown of orders may have changed; `network-status`: a network went down or is up again for the process that publishes it.
 */
export const INVALIDATIONS = [
  "price-snapshots",
  "prices",
  "work",
  "switches",
  "clock",
  "networks",
  "network-status",
  "orders",
] as const;
export type Invalidation = (typeof INVALIDATIONS)[number];

export type Bus = {
  /** Publishes to every other process; never waits and never fails. */
  publish(invalidation: Invalidation): void;
  /** Calls back when another process has published it, or may have during an outage. Returns the function that ends this. */
  on(invalidation: Invalidation, listener: () => void): () => void;
  close(): Promise<void>;
};
