import type { Listener } from "./live-rates.ts";

/** The part of a WebSocket that sending needs. */
export type RawSocket = {
  readonly bufferedAmount: number;
  readonly readyState: number;
  send(message: string, sent: (error?: Error | null) => void): void;
};

const OPEN = 1;
/** With more than this unsent a reader is slow: it gets the newest rate once it has caught up, and none of those between. */
const BUFFERED_LIMIT = 16 * 1024;

/** A listener that queues little for a slow reader. */
export function createBackpressuredListener(socket: RawSocket, onError: (error: Error) => void): Listener {
  let waiting: string | null = null;

  const offer = (message: string): void => {
    if (socket.readyState !== OPEN) return;
    if (socket.bufferedAmount > BUFFERED_LIMIT) {
      waiting = message;
      return;
    }
    waiting = null;
    socket.send(message, onSent);
  };

  const onSent = (error?: Error | null): void => {
    if (error) onError(error);
    else if (waiting !== null && socket.bufferedAmount <= BUFFERED_LIMIT) offer(waiting);
  };

  return { offer };
}
