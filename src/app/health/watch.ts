import { type Health, type HealthEvent, nextHealth } from "./cycle.ts";

/** What the watch is shown as: the cycle's state and the times that the reader is told. */
export type Watched = Health & {
  /** When what is shown began, the last look and the next one, in milliseconds; null while unknown. */
  readonly since: number | null;
  readonly lookedAt: number | null;
  readonly nextAt: number | null;
};

export type HealthSources = {
  readonly look: () => Promise<HealthEvent>;
  readonly askInternet: () => Promise<HealthEvent>;
  readonly show: (watched: Watched) => void;
};

export type HealthWatch = { readonly lookNow: () => void; readonly stop: () => void };

const FIRST_LOOK_MS = 5_000;

/** Runs the health check cycle (spec §4) while the page is seen, and at once when it is seen or connected again. */
export function watchHealth(first: Watched, { look, askInternet, show }: HealthSources): HealthWatch {
  let watched = first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLooking = false;
  let isStopped = false;

  function plan(afterMs: number): void {
    clearTimeout(timer);
    timer = setTimeout(() => void turn(), afterMs);
    watched = { ...watched, nextAt: Date.now() + afterMs };
    show(watched);
  }

  async function turn(): Promise<void> {
    if (isLooking || isStopped) return;
    // A hidden page looks again when it is seen.
    if (document.visibilityState === "hidden") return;
    isLooking = true;
    let step = nextHealth(watched, await look());
    if (step.next.kind === "ask-internet") step = nextHealth(step.health, await askInternet());
    isLooking = false;
    if (isStopped) return;
    const { health, next } = step;
    const at = Date.now();
    watched = { ...watched, ...health, since: health.shown === watched.shown ? watched.since : at, lookedAt: at };
    plan(next.kind === "look" ? next.afterMs : FIRST_LOOK_MS);
  }

  const lookNow = () => {
    clearTimeout(timer);
    void turn();
  };
  const resume = () => {
    if (document.visibilityState === "visible") lookNow();
  };
  document.addEventListener("visibilitychange", resume);
  addEventListener("online", resume);
  plan(FIRST_LOOK_MS);
  return {
    lookNow,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", resume);
      removeEventListener("online", resume);
    },
  };
}
