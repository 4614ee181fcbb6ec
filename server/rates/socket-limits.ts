/** What one address, and all of them together, may ask of the live socket. */
export type SocketLimits = {
  /** Open sockets of one address. */
  perAddress: number;
  /** Open sockets of this process. */
  total: number;
  /** Messages that one socket may send at once, and how many a second it gets back. */
  burst: number;
  perSecond: number;
};

export const defaultSocketLimits: SocketLimits = { perAddress: 200, total: 20_000, burst: 40, perSecond: 10 };

/** A bucket of messages that fills up again with time; `take` is false when it is empty. */
export function createBucket({ burst, perSecond }: SocketLimits, now: () => number): { take(): boolean } {
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

/** Counts what is open for each address. */
export function createDoor({ perAddress, total }: SocketLimits): {
  enter(address: string): boolean;
  leave(address: string): void;
} {
  const open = new Map<string, number>();
  let all = 0;
  return {
    enter(address) {
      const mine = open.get(address) ?? 0;
      if (mine >= perAddress || all >= total) return false;
      open.set(address, mine + 1);
      all += 1;
      return true;
    },
    leave(address) {
      const mine = open.get(address) ?? 0;
      if (mine <= 1) open.delete(address);
      else open.set(address, mine - 1);
      all -= 1;
    },
  };
}
