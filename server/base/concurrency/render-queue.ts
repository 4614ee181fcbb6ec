/**
 * Renders at a time. React renders a page in one go (8 to 12 ms for the home page), so that more of them would only hold other requests
 * up for longer; several, because a page also waits for its calls.
 */
const AT_A_TIME = 4;
/** Requests that wait: at 12 ms each the last one is answered within a second. */
const WAITING = 64;
/** Of them one client's, so that none fills the queue for all others; a network of addresses has four times as many. */
const WAITING_OF_CLIENT = 8;
const NETWORK_SHARE = 4;
/** After so long the calls of the pages before it hang. */
const WAIT_MS = 5_000;

/** Who asks for a page, as the limits name it. */
export type RequestClient = { readonly address: string; readonly network: string | null };

/** No page is rendered for this request now. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

export type RenderQueue = {
  /** Runs `render` when it is its turn. Throws `BusyError` when too many wait before it, for too long, or when the client leaves meanwhile. */
  run<Result>(client: RequestClient, render: () => Promise<Result>, left?: AbortSignal): Promise<Result>;
};

/** Renders a few pages at a time; a short queue for the next ones, and none for the rest. */
export function createRenderQueue({
  atATime = AT_A_TIME,
  waiting: maxWaiting = WAITING,
  waitingOfClient = WAITING_OF_CLIENT,
  waitMs = WAIT_MS,
} = {}): RenderQueue {
  const queue = new Set<() => void>();
  const waitingOf = new Map<string, number>();
  let running = 0;

  const count = (names: readonly string[], by: number): void => {
    for (const name of names) {
      const next = (waitingOf.get(name) ?? 0) + by;
      if (next === 0) waitingOf.delete(name);
      else waitingOf.set(name, next);
    }
  };
  const hasRoom = ({ address, network }: RequestClient): boolean =>
    queue.size < maxWaiting &&
    (waitingOf.get(address) ?? 0) < waitingOfClient &&
    (network === null || (waitingOf.get(network) ?? 0) < waitingOfClient * NETWORK_SHARE);

  const turn = async (client: RequestClient, left: AbortSignal | undefined): Promise<void> => {
    if (left?.aborted) throw new BusyError("the client has left");
    if (running < atATime) {
      running += 1;
      return;
    }
    if (!hasRoom(client)) throw new BusyError("too many pages wait");
    const names = client.network === null ? [client.address] : [client.address, client.network];
    const mine = Promise.withResolvers<void>();
    queue.add(mine.resolve);
    count(names, 1);
    const abandon = (why: string): void => {
      if (queue.delete(mine.resolve)) mine.reject(new BusyError(why));
    };
    const timer = setTimeout(() => abandon("the pages before it take too long"), waitMs);
    const leave = (): void => abandon("the client has left");
    left?.addEventListener("abort", leave);
    try {
      await mine.promise;
    } finally {
      left?.removeEventListener("abort", leave);
      clearTimeout(timer);
      count(names, -1);
    }
  };

  /** In a turn of the event loop of its own: what came in meanwhile is answered between two pages. */
  const passOn = (): void => {
    const [next] = queue;
    if (next === undefined) {
      running -= 1;
      return;
    }
    queue.delete(next);
    setImmediate(next);
  };

  return {
    async run(client, render, left) {
      await turn(client, left);
      try {
        return await render();
      } finally {
        passOn();
      }
    },
  };
}
