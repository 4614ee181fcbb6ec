import { type EventEmitter, once } from "node:events";
import { Worker } from "node:worker_threads";
import { z } from "zod";

export type SanitiserLimits = { timeoutMs: number; megabytes: number };

/** An article of 4 MB takes a second; what takes longer or more is made to. */
const LIMITS: SanitiserLimits = { timeoutMs: 5_000, megabytes: 256 };
const WORKER = new URL("./sanitise-worker.ts", import.meta.url);
/** Twice what a host may send. */
const MAX_LENGTH = 8 * 1024 * 1024;
const resultSchema = z.union([z.object({ html: z.string().max(MAX_LENGTH) }), z.object({ error: z.string() })]);

/** The text could not be made safe within its limits. */
export class UnsafeArticleError extends Error {}

export type Sanitise = (html: string) => Promise<string>;

type Thread = Pick<Worker, "on" | "once" | "unref" | "postMessage" | "terminate"> & EventEmitter;

const startWorker = (megabytes: number): Thread =>
  new Worker(WORKER, { resourceLimits: { maxOldGenerationSizeMb: megabytes } });

/**
 * Sanitises articles of another host, one after another in a thread of their own: HTML of a few kilobytes can grow to gigabytes when it is
 * parsed (formatting elements that are opened again in each paragraph). Throws `UnsafeArticleError`.
 */
export function openSanitiser({ timeoutMs, megabytes }: SanitiserLimits = LIMITS, startThread = startWorker): Sanitise {
  let worker: Thread | null = null;
  let last: Promise<unknown> = Promise.resolve();

  const start = (): Thread => {
    const started = startThread(megabytes);
    started.unref();
    // Whoever waits hears of it too; one that runs out of memory while it is terminated has nobody, and would end the process.
    started.on("error", () => undefined);
    started.once("exit", () => {
      if (worker === started) worker = null;
    });
    return started;
  };
  const sanitise = async (html: string): Promise<string> => {
    worker ??= start();
    const used = worker;
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      // Rejects with what ended the thread, too little memory for example.
      const answered = once(used, "message", { signal: limit });
      used.postMessage(html);
      const [message] = await answered;
      const result = resultSchema.parse(message);
      if ("error" in result) throw new UnsafeArticleError(result.error);
      return result.html;
    } catch (error) {
      if (error instanceof UnsafeArticleError) throw error;
      worker = null;
      await used.terminate();
      throw new UnsafeArticleError("the article takes too long or too much memory", { cause: error });
    }
  };

  return (html) => {
    const mine = last.then(() => sanitise(html));
    last = Promise.allSettled([mine]);
    return mine;
  };
}
