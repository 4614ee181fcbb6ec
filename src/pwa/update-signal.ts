export type Seen = {
  /** The build of this page. */
  readonly own: string;
  /** What `builds/latest.json` says; null without an answer. */
  readonly newest: string | null;
  readonly isWorkerWaiting: boolean;
  /** A chunk of this page could not be loaded just now. */
  readonly isChunkGone: boolean;
};

/**
 * What follows from the two signals of a new build: it is offered; needed, since this page's own code is gone; or nobody has to be
 * asked, since the page is of the waiting worker's build already.
 */
export type UpdateSignal = "none" | "offered" | "needed" | "let the worker take over";

export function signalOf({ own, newest, isWorkerWaiting, isChunkGone }: Seen): UpdateSignal {
  if (newest !== null && newest !== own) return isChunkGone ? "needed" : "offered";
  if (!isWorkerWaiting) return "none";
  return newest === null ? "offered" : "let the worker take over";
}
