import { createBroadcasts, type Broadcast } from "./broadcasts.ts";

export type Listeners = {
  /** Makes the server send something new, and waits until every socket has it. */
  measure(cause: () => Promise<unknown>): Promise<Broadcast>;
};

const BATCH = 100;
/** Fewer than one address may have open. */
const SOCKETS_PER_ADDRESS = 150;
const TIMEOUT_MS = 15_000;

/** Opens sockets as so many different clients behind a proxy would, each with its request; they close with `resources`. */
export async function openListeners(
  resources: AsyncDisposableStack,
  options: { url: string; count: number; request: string },
): Promise<Listeners> {
  const { url, count, request } = options;
  const broadcasts = createBroadcasts(count);
  const sockets: WebSocket[] = [];
  resources.defer(() => sockets.forEach((socket) => socket.close()));
  for (let first = 0; first < count; first += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - first) }, (_, at) => openSocket(url, first + at));
    sockets.push(...batch);
    await Promise.all(batch.map(opened));
  }
  for (const socket of sockets) {
    socket.addEventListener("message", ({ data }) => broadcasts.take(String(data), performance.now()));
    socket.send(request);
  }
  return {
    async measure(cause) {
      const result = broadcasts.next(performance.now(), TIMEOUT_MS);
      await cause();
      return result;
    },
  };
}

function openSocket(url: string, index: number): WebSocket {
  const address = Math.floor(index / SOCKETS_PER_ADDRESS);
  const client = `10.1.${Math.floor(address / 250)}.${(address % 250) + 1}`;
  return new WebSocket(url, { headers: { "x-forwarded-for": client } });
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.addEventListener("open", () => resolve());
    socket.addEventListener("error", () => reject(new Error("a socket could not be opened")));
  });
}
