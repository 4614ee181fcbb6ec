import { connect, type Socket } from "node:net";
import type { Log } from "../base/logging/log.ts";
import { greeting, PeerReader, subscription } from "./zmq-frames.ts";

/** What Bitcoin Core's `zmqpubhashtx` and `zmqpubhashblock` say, and what monerod's `zmq-pub` does. */
export const BITCOIN_TOPICS = ["hashtx", "hashblock"] as const;
export const MONERO_TOPICS = ["json-minimal-txpool_add", "json-minimal-chain_main"] as const;

const RECONNECT_MS = 5_000;
/** A busy node announces transactions many times a second, and its wallet knows of one a moment after it was announced. */
const GATHER_MS = 250;

/**
 * Calls back soon after a node has announced something of these topics by ZMQ. What it announces is only a reason to look: polls go on
 * beside it, so that a node that says nothing costs nothing but time. Returns the function that ends it.
 */
export function listenToNode(url: string, topics: readonly string[], onNews: () => void, log: Log): () => void {
  const { hostname, port } = new URL(url);
  let socket: Socket | null = null;
  let retry: NodeJS.Timeout | null = null;
  let gathering: NodeJS.Timeout | null = null;
  let isEnded = false;
  let isReported = false;

  const announce = () => {
    gathering ??= setTimeout(() => {
      gathering = null;
      onNews();
    }, GATHER_MS);
  };

  const open = () => {
    const reader = new PeerReader();
    let isSubscribed = false;
    const current = connect({ host: hostname.replace(/^\[|\]$/g, ""), port: Number(port), keepAlive: true });
    socket = current;
    current.write(greeting());
    current.on("data", (chunk) => {
      try {
        const { messages, isGreeted } = reader.read(chunk);
        if (isGreeted && !isSubscribed) {
          isSubscribed = true;
          isReported = false;
          current.write(subscription(topics));
        }
        if (messages > 0) announce();
      } catch (error) {
        current.destroy(error instanceof Error ? error : new Error(String(error)));
      }
    });
    current.on("error", (error) => {
      if (!isReported)
        log.warn({ err: error }, "a node's announcements can't be heard; it is asked as often as without them");
      isReported = true;
    });
    current.on("close", () => {
      if (!isEnded) retry = setTimeout(open, RECONNECT_MS);
    });
  };

  open();
  return () => {
    isEnded = true;
    if (retry !== null) clearTimeout(retry);
    if (gathering !== null) clearTimeout(gathering);
    socket?.destroy();
  };
}
