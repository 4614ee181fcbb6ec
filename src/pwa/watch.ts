import { ownBuild } from "./build-id.ts";
import { newestBuild } from "./newest-build.ts";
import { signalOf } from "./update-signal.ts";
import { announceUpdate } from "./update-store.ts";
import { TAKE_OVER, workerContainer, workerRegistration } from "./worker.ts";

const CHECK_MS = 10 * 60_000;
/** A resumed phone fires several events at once. */
const THROTTLE_MS = 30_000;

let isWatching = false;
let lookedAt = -Infinity;

/** Looks for a new build now, and from the first time on at each resume, every ten minutes and when a worker waits. */
export async function look({ isChunkGone }: { readonly isChunkGone: boolean }): Promise<void> {
  if (!isWatching) startWatching();
  lookedAt = performance.now();
  const own = ownBuild();
  const [newest, registration] = await Promise.all([newestBuild(), workerRegistration()]);
  const waiting = registration?.waiting ?? null;
  // Behind the prompt its worker gets ready.
  if (newest !== null && newest !== own && waiting === null) void fetchWorker(registration);
  const signal = signalOf({ own, newest, isWorkerWaiting: waiting !== null, isChunkGone });
  if (signal === "let the worker take over") waiting?.postMessage(TAKE_OVER);
  if (signal === "offered" || signal === "needed")
    announceUpdate({ build: newest ?? "worker", isNeeded: signal === "needed" });
}

function startWatching(): void {
  isWatching = true;
  const resumed = () => {
    if (document.visibilityState !== "visible" || !navigator.onLine) return;
    if (performance.now() - lookedAt >= THROTTLE_MS) void look({ isChunkGone: false });
  };
  for (const event of ["focus", "pageshow", "online"]) addEventListener(event, resumed);
  document.addEventListener("visibilitychange", resumed);
  setInterval(resumed, CHECK_MS);
  watchWorker().catch((error: unknown) => console.warn("the worker can't be watched", error));
}

/** Answers the worker which build is open here, and notices when a new one waits. */
async function watchWorker(): Promise<void> {
  const container = workerContainer();
  if (container === undefined) return;
  container.addEventListener("message", ({ data, ports }: MessageEvent<{ type?: unknown } | null>) => {
    if (data?.type === "WHICH_BUILD") ports[0]?.postMessage(ownBuild());
  });
  const registration = await container.ready;
  const tellReady = () => registration.active?.postMessage({ type: "PAGE_READY" });
  tellReady();
  container.addEventListener("controllerchange", tellReady);
  // To register the same address again asks for nothing, and browsers look for a new worker when they see fit.
  if (container.controller) void fetchWorker(registration);
  const follow = () => {
    const worker = registration.installing;
    worker?.addEventListener("statechange", () => {
      if (worker.state === "installed" && registration.waiting === worker) void look({ isChunkGone: false });
    });
  };
  follow();
  registration.addEventListener("updatefound", follow);
}

async function fetchWorker(registration: ServiceWorkerRegistration | undefined): Promise<void> {
  try {
    await registration?.update();
  } catch (error) {
    console.debug("the new worker can't be fetched now", error);
  }
}
