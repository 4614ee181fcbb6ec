import { fork } from "node:child_process";
import { realpathSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { endOf, keepChild, type Launched, type RestartPauses } from "../../base/processes/child-keeper.ts";
import type { Log } from "../../base/logging/log.ts";
import { StartupError } from "../../base/processes/startup-error.ts";
import type { CandleVenue, Venue, VenueCandles, VenuePrice } from "./port.ts";
import { UnknownVenueError } from "./venue-ccxt.ts";
import { venueReportSchema, type VenueArguments, type VenueReport, type VenueRequest } from "./venue-messages.ts";

const ROOT = new URL("../../../", import.meta.url);
const ENTRY = new URL("venue-process.ts", import.meta.url);
const START_TIMEOUT_MS = 60_000;
/** Longer than the calls that one reading makes, each of which has its own time-out: after it the process hangs. */
const ANSWER_TIMEOUT_MS = 30_000;
const PAUSES = { firstMs: 1_000, maxMs: 60_000 };
/** Where a machine keeps its certificates. No other variable of ours reaches the process: they hold seeds and passwords. */
const PASSED_ON = ["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "SSL_CERT_DIR"];
/** Enough for the library, and a bound on what an answer may cost. */
const MEMORY_MB = 512;

export type VenueChildOptions = {
  venues: VenueArguments;
  log: Log;
  pauses?: RestartPauses;
  answerTimeoutMs?: number;
};

export type VenueChild = {
  venues: (Venue & CandleVenue)[];
  /** Null while it does not run. */
  pid(): number | null;
  stop(): Promise<void>;
};

/**
 * How the process is started: without our environment, and where it can read our code alone, start no program and write no file. So
 * ccxt, which is large and not ours, finds no key: neither in its memory nor in `/proc` nor below DATA_DIR.
 *
 * @internal Exported for its tests.
 */
export function isolation(env: NodeJS.ProcessEnv = process.env): { execArgv: string[]; env: Record<string, string> } {
  const readable = ["server", "contract", "node_modules", "package.json"].map((name) =>
    fileURLToPath(new URL(name, ROOT)),
  );
  // A folder may be a link: both its names are needed.
  const paths = new Set(readable.flatMap((path) => [path, realpathSync(path)]));
  return {
    execArgv: [
      "--permission",
      ...[...paths].map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${MEMORY_MB}`,
    ],
    env: Object.fromEntries(PASSED_ON.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  };
}

/**
 * Venues that are read by a process of their own, which is restarted with growing pauses when it dies or hangs. Throws
 * `UnknownVenueError`, and `StartupError` when it does not start the first time.
 */
export async function openVenueChild(options: VenueChildOptions): Promise<VenueChild> {
  const { log, pauses = PAUSES, answerTimeoutMs = ANSWER_TIMEOUT_MS } = options;
  const waiting = new Map<number, PromiseWithResolvers<Answer>>();
  const first = launch(options.venues, waiting);
  let nextId = 0;

  try {
    await started(first);
  } catch (error) {
    first.child.kill("SIGKILL");
    throw error;
  }
  const keeper = keepChild({
    first,
    launch: () => launch(options.venues, waiting),
    pauses,
    onDeath: (how, pauseMs) =>
      log.error({ how, pauseMs }, "the process that reads market prices has died and will be restarted"),
  });

  const ask = async (question: Question): Promise<Answer> => {
    const { child } = keeper.current();
    if (!child.connected) throw new Error("the process that reads market prices does not run");
    const id = (nextId += 1);
    const answer = Promise.withResolvers<Answer>();
    waiting.set(id, answer);
    const timer = setTimeout(() => child.kill("SIGKILL"), answerTimeoutMs);
    const request: VenueRequest = { ...question, id };
    child.send(request, (error) => error && answer.reject(error));
    try {
      return await answer.promise;
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
  const openVenue = (venue: string): Venue & CandleVenue => ({
    name: venue,
    async read(symbols) {
      const answer = await ask({ kind: "prices", venue, symbols: [...symbols] });
      if (answer.kind !== "prices") throw new Error(`${venue} was asked for prices`);
      return pricesOf(answer, new Set(symbols));
    },
    async candles(symbols, { timeframe, from, until }) {
      const time = { from: from.getTime(), until: until.getTime() };
      const answer = await ask({ kind: "candles", venue, symbols: [...symbols], timeframe, ...time });
      if (answer.kind !== "candles") throw new Error(`${venue} was asked for candles`);
      return candlesOf(answer, { symbols, ...time });
    },
  });

  return {
    venues: options.venues.map(({ id }) => openVenue(id)),
    pid: () => {
      const { child } = keeper.current();
      return child.connected ? (child.pid ?? null) : null;
    },
    stop: () =>
      keeper.stop(async ({ child, ended }) => {
        child.kill("SIGKILL");
        await ended;
      }),
  };
}

type FirstReport = Extract<VenueReport, { kind: "ready" | "unknown" }>;
type Starting = Launched & { first: Promise<FirstReport> };
type Answer = Extract<VenueReport, { kind: "prices" | "candles" }>;
type Waiting = ReadonlyMap<number, PromiseWithResolvers<Answer>>;
type WithoutId<Request> = Request extends unknown ? Omit<Request, "id"> : never;
type Question = WithoutId<VenueRequest>;

function launch(venues: VenueArguments, waiting: Waiting): Starting {
  const child = fork(ENTRY, [JSON.stringify(venues)], {
    ...isolation(),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // A process that is done does not wait for this one, which ends with it.
  child.unref();
  child.channel?.unref();
  const first = Promise.withResolvers<FirstReport>();
  child.on("message", (message) => {
    const { data } = venueReportSchema.safeParse(message);
    if (data === undefined) child.kill("SIGKILL");
    else if (data.kind === "ready" || data.kind === "unknown") first.resolve(data);
    else settle(data, waiting.get(data.id));
  });
  const ended = endOf(child).finally(() => {
    for (const answer of waiting.values()) answer.reject(new Error("the process that reads market prices has died"));
  });
  return { child, first: first.promise, ended };
}

function settle(report: Extract<VenueReport, { id: number }>, answer: PromiseWithResolvers<Answer> | undefined): void {
  if (report.kind === "failed") answer?.reject(new Error(report.message));
  else answer?.resolve(report);
}

/** What was not asked for is left out. */
function pricesOf(
  { prices }: Extract<Answer, { kind: "prices" }>,
  wanted: ReadonlySet<string>,
): ReadonlyMap<string, VenuePrice> {
  return new Map(
    prices
      .filter(([symbol]) => wanted.has(symbol))
      .map(([symbol, price, at]) => [
        symbol,
        // A clock that runs ahead must not extend a price's life.
        { price: BigInt(price), takenAt: new Date(Math.min(at, Date.now())) },
      ]),
  );
}

function candlesOf(
  { symbol, candles }: Extract<Answer, { kind: "candles" }>,
  wanted: { symbols: readonly string[]; from: number; until: number },
): VenueCandles {
  if (symbol === null || !wanted.symbols.includes(symbol)) return { symbol: null, opens: new Map() };
  const known = candles.filter(([at]) => at >= wanted.from && at < wanted.until);
  return { symbol, opens: new Map(known.map(([at, price]) => [at, BigInt(price)])) };
}

async function started({ first, ended }: Starting): Promise<void> {
  const timeout = new AbortController();
  const found = await Promise.race([
    first,
    ended,
    delay(START_TIMEOUT_MS, "no answer", { signal: timeout.signal }),
  ]).finally(() => timeout.abort());
  if (typeof found === "string")
    throw new StartupError(`The process that reads market prices did not start (${found}).`);
  if (found.kind === "unknown") throw new UnknownVenueError(found.venue);
}
