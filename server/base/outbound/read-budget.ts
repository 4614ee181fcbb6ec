/** The bytes of a budget that one response uses. */
export type ReadShare = {
  readonly bytes: number;
  add(bytes: number): void;
  close(): void;
};

export type ReadBudget = {
  /** Bytes that are held now, and the most that ever were. */
  readonly held: number;
  readonly most: number;
  /** `abort` ends the reading of an answer that must make room. */
  open(abort: (why: Error) => void): ReadShare;
};

type Open = { bytes: number; isAborted: boolean; abort: (why: Error) => void };

/**
 * Bounds what answers hold together that are read at once. Where it is too much the longest is given up: a server that answers without end takes
 * no room from the others.
 */
export function createReadBudget(maxBytes: number): ReadBudget {
  const open = new Set<Open>();
  let most = 0;
  const held = () => [...open].reduce((sum, { bytes }) => sum + bytes, 0);

  const makeRoom = (): void => {
    const [longest] = [...open].toSorted((one, other) => other.bytes - one.bytes);
    if (longest === undefined) return;
    longest.bytes = 0;
    longest.isAborted = true;
    longest.abort(new Error(`the answers that are read at once are longer than ${maxBytes} bytes`));
  };

  return {
    get held() {
      return held();
    },
    get most() {
      return most;
    },
    open: (abort) => {
      const own: Open = { bytes: 0, isAborted: false, abort };
      open.add(own);
      return {
        get bytes() {
          return own.bytes;
        },
        add: (bytes) => {
          if (own.isAborted) return;
          own.bytes += bytes;
          const sum = held();
          most = Math.max(most, sum);
          if (sum > maxBytes) makeRoom();
        },
        close: () => void open.delete(own),
      };
    },
  };
}
