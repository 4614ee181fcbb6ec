import type { WebSocket } from "@fastify/websocket";
import type { FastifyInstance, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { CodedError } from "#contract/errors.ts";
import { RATES_EVENT, socketRequestSchema, type RateRequest, type SocketMessage } from "#contract/rate.ts";
import { createClientBuckets, createTokenBucket, type BucketClient } from "../../base/concurrency/token-buckets.ts";
import { parseJson } from "../../base/json.ts";
import type { Log } from "../../base/logging/log.ts";
import { createLiveRates, toChannelError } from "./live-rates.ts";
import type { FiatRates, Rates } from "../port.ts";
import { invalid } from "../errors.ts";
import { createBackpressuredListener } from "./backpressure.ts";
import { createConnectionLimit, createHeartbeat, defaultSocketLimits, type SocketLimits } from "./socket-limits.ts";

const SOCKET_PATH = "/api/v2/ws";

const POLICY_VIOLATION = 1008;
const TRY_LATER = 1013;
/** How long the closing of a socket may take. */
const CLOSING_MS = 2_000;

const tooMany: SocketMessage = {
  event: RATES_EVENT,
  error: { status: "ERR_BAD_REQUEST", message: "Too many messages from this address: ask again in a moment" },
};
/** Written once: it is sent to whoever sends the most. */
const TOO_MANY = JSON.stringify(tooMany);

export type RateSocketParts = {
  rates: Pick<Rates, "pairData" | "onSnapshot">;
  /** Absent or null where no cards are taken. */
  fiat?: Pick<FiatRates, "pairData"> | null;
  log: Log;
  /** Whether the Origin of a handshake may have a socket. */
  mayOpen(request: FastifyRequest): boolean;
  /** Names the client for limits. */
  clientOf(request: FastifyRequest): BucketClient;
  limits?: SocketLimits | undefined;
  /** Real time in milliseconds. */
  now?: () => number;
};

/** The live rates of contract §2 at /api/v2/ws. */
export function addRateSocket(app: FastifyInstance, parts: RateSocketParts): void {
  const { log, limits = defaultSocketLimits, now = Date.now } = parts;
  const live = createLiveRates(parts.rates, log, parts.fiat ?? null);
  const connections = createConnectionLimit(limits);
  const clients = createClientBuckets(limits.ofAddress, now);
  const life = createHeartbeat();
  app.addHook("onClose", async () => {
    live.stop();
    life.stop();
  });

  const serve = (socket: WebSocket, client: BucketClient): void => {
    if (!connections.enter(client)) return end(socket, TRY_LATER, "too many connections from this address");
    const sent = createBackpressuredListener(socket, (error) =>
      log.debug({ err: error }, "a live rate could not be sent"),
    );
    const listener = { ...sent, client };
    const bucket = createTokenBucket(limits, now);
    let isEnding = false;

    const read = (text: string): void => {
      if (!clients.take(client)) {
        live.leave(listener);
        return listener.offer(TOO_MANY);
      }
      try {
        live.subscribe(listener, readRequest(text));
      } catch (error) {
        live.leave(listener);
        if (!(error instanceof CodedError)) log.error({ err: error }, "a socket message could not be answered");
        const message: SocketMessage = { event: RATES_EVENT, error: toChannelError(error) };
        listener.offer(JSON.stringify(message));
      }
    };

    socket.on("message", (data: Buffer, isBinary: boolean) => {
      if (isEnding) return;
      if (!isBinary && bucket.take()) return read(data.toString());
      isEnding = true;
      live.leave(listener);
      end(socket, POLICY_VIOLATION, isBinary ? "messages are text" : "too many messages");
    });
    // ws closes the connection with a code of its own after each of these: too long, no UTF-8, no frame.
    socket.on("error", (error) => log.debug({ err: error }, "a WebSocket of live rates failed"));
    socket.on("close", () => {
      live.leave(listener);
      connections.leave(client);
    });
    life.watch(socket);
  };

  const guard = async (request: FastifyRequest): Promise<void> => {
    if (!parts.mayOpen(request)) throw new CodedError("ERR_FORBIDDEN", "This socket is for our own pages");
  };
  app.get(SOCKET_PATH, { websocket: true, config: { isSocket: true }, preValidation: guard }, (socket, request) =>
    serve(socket, parts.clientOf(request)),
  );
}

function readRequest(text: string): RateRequest {
  const parsed = z.safeParse(socketRequestSchema, readJson(text));
  if (parsed.success) return parsed.data.params;
  // The params' own fields are named as the HTTP call names them.
  throw invalid(
    Object.fromEntries(
      parsed.error.issues.map(({ path, message }) => [
        path.filter((part) => part !== "params").join(".") || "params",
        message,
      ]),
    ),
  );
}

function readJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    throw new CodedError("ERR_BAD_REQUEST", "The message is no JSON", { cause: error });
  }
}

function end(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  setTimeout(() => socket.terminate(), CLOSING_MS).unref();
}
