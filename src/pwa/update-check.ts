import { latestBuild, ownBuild } from "./build.ts";
import { registerWorker, type Registration } from "./registration.ts";
import { offerUpdate } from "./update-store.ts";

const INTERVAL_MS = 10 * 60_000;
/** A resumed phone fires several events at once. */
const THROTTLE_MS = 30_000;

let isStarted = false;
let checkedAt = -Infinity;

/** Checks for an update now; from the first time on also at each resume, every ten minutes and when a worker waits. */
export async function checkForUpdate({ isChunkGone }: { readonly isChunkGone: boolean }): Promise<void> {
  if (!isStarted) startChecks();
  checkedAt = performance.now();
  const own = ownBuild();
  const [latest, registration] = await Promise.all([latestBuild(), registerWorker()]);
  const isWorkerWaiting = Boolean(registration?.worker.waiting);
  // The new worker gets ready while the user decides.
  if (latest !== null && latest !== own && !isWorkerWaiting) void fetchWorker(registration);
  const signal = updateSignal({ own, latest, isWorkerWaiting, isChunkGone });
  if (signal === "activate") registration?.workbox.messageSkipWaiting();
  if (signal === "offer" || signal === "need") offerUpdate({ build: latest ?? "worker", isNeeded: signal === "need" });
}

export type Signals = {
  /** The build of this page. */
  readonly own: string;
  /** What `builds/latest.json` says; null without an answer. */
  readonly latest: string | null;
  readonly isWorkerWaiting: boolean;
  /** A chunk of this page could not be loaded just now. */
  readonly isChunkGone: boolean;
};

/** `need`: this page's own code is gone. `activate`: the waiting worker is of this page's build, so nobody has to be asked. */
export type UpdateSignal = "none" | "offer" | "need" | "activate";

/**
 * What follows from the two signals of an update: the latest build first, a waiting worker second.
 */
export function updateSignal({ own, latest, isWorkerWaiting, isChunkGone }: Signals): UpdateSignal {
  if (latest !== null && latest !== own) return isChunkGone ? "need" : "offer";
  if (!isWorkerWaiting) return "none";
  return latest === null ? "offer" : "activate";
}

function startChecks(): void {
  isStarted = true;
  const check = () => void checkForUpdate({ isChunkGone: false });
  const resumed = () => {
    if (document.visibilityState !== "visible" || !navigator.onLine) return;
    if (performance.now() - checkedAt >= THROTTLE_MS) check();
  };
  for (const event of ["focus", "pageshow", "online"]) addEventListener(event, resumed);
  document.addEventListener("visibilitychange", resumed);
  setInterval(resumed, INTERVAL_MS);
  void followWorker(check);
}

/** Tells the worker which build is open here, and checks when a new worker waits. */
async function followWorker(onWaiting: () => void): Promise<void> {
  const registration = await registerWorker();
  if (registration === null) return;
  const { workbox, worker } = registration;
  // Not by workbox's own event: it passes on no message of a worker that another tab has updated.
  navigator.serviceWorker.addEventListener("message", ({ data, ports }: MessageEvent<{ type?: unknown } | null>) => {
    if (data?.type === "WHICH_BUILD") ports[0]?.postMessage(ownBuild());
  });
  workbox.addEventListener("waiting", onWaiting);
  const sayReady = () => worker.active?.postMessage({ type: "PAGE_READY" });
  workbox.addEventListener("controlling", sayReady);
  // To register the same URL again fetches nothing, and browsers look for a new worker when they see fit.
  if (navigator.serviceWorker.controller) void fetchWorker(registration);
  await navigator.serviceWorker.ready;
  sayReady();
}

async function fetchWorker(registration: Registration | null): Promise<void> {
  try {
    await registration?.workbox.update();
  } catch (error) {
    console.debug("the new worker can't be fetched now", error);
  }
}
