/** In milliseconds. A local chain makes blocks as fast as its readers look. */
const LOCAL = { inUse: 500, idle: 55_000 };
/** Idle networks that were all read at once would need a database connection each, and open it anew every time. */
const LOCAL_SPREAD_MS = 300;
const MIN_IN_USE_MS = 500;
const MAX_IN_USE_MS = 5_000;
const MIN_IDLE_MS = 5_000;
const MAX_IDLE_MS = 45_000;
const MEMPOOL_IN_USE_MS = 2_000;
const HEAD_IN_USE_MS = 2_000;
const MAX_HEAD_MS = 15_000;

export type PaceParts = {
  /** By network title, from the catalogue. */
  limits: ReadonlyMap<string, { blockSeconds: number }>;
  /** Whether the networks are local: simulated, or nodes that the sandbox runs. */
  isLocal: boolean;
  /** Networks of a node; the others are simulated in the database, and hang with it alone. */
  nodes?: ReadonlySet<string>;
  activity: { isInUse(network: string): boolean };
};

/** How long to wait between two reads of a network, in milliseconds. */
export type Pace = {
  /** Of its blocks. */
  blocks(network: string): number;
  /** Of its mempool: a payment is shown within seconds while somebody waits for it. */
  mempool(network: string): number;
  /** Of its newest height, which tells whether it is up. */
  head(network: string): number;
};

/** The pace of each network: its own, and quicker while somebody waits for its blocks. */
export function createPace({ limits, isLocal, nodes, activity }: PaceParts): Pace {
  const blockMs = (network: string): number => (limits.get(network)?.blockSeconds ?? 0) * 1_000;
  const places = new Map([...limits.keys()].map((network, at) => [network, at]));
  const idle = (network: string): number =>
    isLocal
      ? LOCAL.idle + LOCAL_SPREAD_MS * (places.get(network) ?? 0)
      : between(MIN_IDLE_MS, blockMs(network), MAX_IDLE_MS);
  return {
    blocks: (network) => {
      if (!activity.isInUse(network)) return idle(network);
      return isLocal ? LOCAL.inUse : between(MIN_IN_USE_MS, blockMs(network) / 10, MAX_IN_USE_MS);
    },
    mempool: (network) => (activity.isInUse(network) ? MEMPOOL_IN_USE_MS : idle(network)),
    head: (network) => {
      if (activity.isInUse(network)) return HEAD_IN_USE_MS;
      if (isLocal) return nodes?.has(network) ? MAX_HEAD_MS : LOCAL.idle;
      return between(HEAD_IN_USE_MS, blockMs(network) / 2, MAX_HEAD_MS);
    },
  };
}

const between = (min: number, value: number, max: number): number => Math.max(min, Math.min(value, max));
