import type { Listener } from "./live-rates.ts";

/** The part of a WebSocket that sending needs. */
export type RawSocket = {
  readonly bufferedAmount: number;
  readonly readyState: number;
  send(message: string, sent: (error?: Error | null) => void): void;
};

const OPEN = 1;
/** More than this unsent, and the reader is slow: it gets the newest rate once it has caught up, and none of those between. */
const BUFFERED_LIMIT = 16 * 1024;

/** A listener that never queues more than a little for a reader that does not keep up. */
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
