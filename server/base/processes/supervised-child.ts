import { fork, type ChildProcess } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { endOf, keepChild, type Launched, type RestartPauses } from "./child-keeper.ts";
import { childReportSchema, type ChildReport, type ChildRequest } from "./child-messages.ts";
import { WATCH, watchChild, type ChildWatch, type WatchTiming } from "./child-watch.ts";
import { ignoreAbort } from "../concurrency/ignore-abort.ts";
import type { Log } from "../logging/log.ts";
import { StartupError } from "./startup-error.ts";

const METRICS_TIMEOUT_MS = 2_000;
/** The whole process stops within 30 s: the child's share leaves time to close what it used. */
const LIMITS: ChildLimits = { firstMs: 1_000, maxMs: 60_000, stopMs: 20_000 };

/** And how long the child may take to stop before it is killed, in milliseconds. */
type ChildLimits = RestartPauses & { stopMs: number };

/** A process that this one started and restarts whenever it ends. */
export type SupervisedChild = {
  /** Whether it runs, has reported that it is ready, and answers. */
  isUp(): boolean;
  restarts(): number;
  /** Its metrics in Prometheus' format; null while it does not answer. */
  metrics(): Promise<string | null>;
  /** Lets it end its work, and restarts it no more. */
  stop(): Promise<void>;
};

export type SupervisedChildOptions = {
  /** What it is called in logs and errors. */
  name: string;
  /** The file that it runs; it answers by `parent-process.ts`. */
  entry: URL;
  env: NodeJS.ProcessEnv;
  log: Log;
  limits?: ChildLimits;
  /** When it counts as hung, and when it is killed for that. */
  watch?: WatchTiming;
};

type Starting = Launched & { ready: Promise<unknown>; watch: ChildWatch };

/**
 * Starts a process and restarts it after it has died or hung, with growing pauses while it does not stay up. Throws `StartupError` when it ends
 * before it is ready for the first time. It ends by itself when this process dies.
 */
export async function superviseChild({
  name,
  entry,
  env,
  log,
  limits = LIMITS,
  watch = WATCH,
}: SupervisedChildOptions): Promise<SupervisedChild> {
  let isUp = false;
  let restarts = 0;

  const launch = (): Starting => {
    const child = fork(entry, { env, stdio: ["ignore", "inherit", "inherit", "ipc"] });
    return { child, ready: reportOf(child, "ready"), ended: endOf(child), watch: watchChild(child, name, watch, log) };
  };
  const becomeReady = async ({ ready, ended }: Starting): Promise<void> => {
    const how = await Promise.race([ready.then(() => null), ended]);
    if (how !== null) throw new StartupError(`The ${name} process did not start (${how}).`);
    isUp = true;
  };

  const first = launch();
  await becomeReady(first);
  const keeper = keepChild({
    first,
    launch,
    pauses: limits,
    onDeath: (how, pauseMs) => {
      isUp = false;
      log.error({ process: name, how, pauseMs }, "a process has died and will be restarted");
    },
    onLaunch: (launched) => {
      restarts += 1;
      void becomeReady(launched).then(
        () => log.info({ process: name, restarts }, "the process is back"),
        // How it ended is reported when it is restarted.
        () => undefined,
      );
    },
  });
  return {
    isUp: () => isUp && keeper.current().watch.isAnswering(),
    restarts: () => restarts,
    metrics: async () => (isUp ? metricsOf(keeper.current().child) : null),
    stop: async () => {
      await keeper.stop((current) => end(current, limits.stopMs));
      isUp = false;
    },
  };
}

/** Other programs, such as Node's watch mode, use the same channel: what is not ours is left alone. */
function reportOf<Kind extends ChildReport["kind"]>(
  child: ChildProcess,
  kind: Kind,
  over?: AbortSignal,
): Promise<Extract<ChildReport, { kind: Kind }>> {
  return new Promise((resolve) => {
    const take = (message: unknown): void => {
      const { data } = childReportSchema.safeParse(message);
      if (data === undefined || !isOf(data, kind)) return;
      child.off("message", take);
      resolve(data);
    };
    child.on("message", take);
    over?.addEventListener("abort", () => child.off("message", take));
  });
}

function isOf<Kind extends ChildReport["kind"]>(
  report: ChildReport,
  kind: Kind,
): report is Extract<ChildReport, { kind: Kind }> {
  return report.kind === kind;
}

async function metricsOf(child: ChildProcess): Promise<string | null> {
  const over = new AbortController();
  const report = reportOf(child, "metrics", over.signal);
  send(child, { kind: "metrics" });
  const late = delay(METRICS_TIMEOUT_MS, null, { signal: over.signal }).catch(ignoreAbort);
  const answer = await Promise.race([report, late]);
  over.abort();
  return answer?.text ?? null;
}

async function end({ child, ended }: Launched, withinMs: number): Promise<void> {
  const over = new AbortController();
  send(child, { kind: "stop" });
  const kill = delay(withinMs, undefined, { signal: over.signal }).then(() => child.kill("SIGKILL"), ignoreAbort);
  await ended;
  over.abort();
  await kill;
}

/** A child that has died meanwhile is noticed by its end. */
function send(child: ChildProcess, request: ChildRequest): void {
  if (child.connected) child.send(request, () => undefined);
}
