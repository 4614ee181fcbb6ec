import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Signals, UpdateSignal } from "./update-check.ts";

type Answer = (url: string) => Promise<unknown>;

let answers: Answer;
let asked: string[];
/** What the page sends to a worker. */
let told: unknown[];
let registration: EventTarget & { waiting: object | null; installing: object | null; update: () => Promise<void> };
let updates: number;

const worker = (state = "activated") =>
  Object.assign(new EventTarget(), { state, postMessage: (message: unknown) => told.push(message) });
const newest =
  (id: string): Answer =>
  async () => ({ ok: true, json: async () => ({ id }) });

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers();
  document.head.innerHTML = '<meta name="build" content="own">';
  [asked, told, updates] = [[], [], 0];
  answers = newest("own");
  vi.stubGlobal("fetch", (url: string) => (asked.push(url), answers(url)));
  registration = Object.assign(new EventTarget(), {
    waiting: null,
    installing: null,
    active: worker(),
    update: async () => void (updates += 1),
  });
  const container = Object.assign(new EventTarget(), {
    ready: Promise.resolve(registration),
    register: async () => registration,
  });
  Object.defineProperty(navigator, "serviceWorker", { value: container, configurable: true });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

async function watch() {
  const { checkForUpdate } = await import("./update-check.ts");
  const { useUpdate } = await import("./update-store.ts");
  const { render, settled } = await import("../shared/testing/render.tsx");
  const Seen = () => <p>{JSON.stringify(useUpdate())}</p>;
  const view = await render(<Seen />);
  return {
    check: (isChunkGone = false) => settled(() => checkForUpdate({ isChunkGone })),
    pass: (ms: number) => settled(() => vi.advanceTimersByTimeAsync(ms)),
    shown: () => JSON.parse(view.container.textContent ?? "") as unknown,
  };
}

it("asks at the start, every ten minutes, and at a resume, but not twice in half a minute", async () => {
  const { check, pass } = await watch();
  await check();
  expect(asked).toHaveLength(1);
  for (const event of ["focus", "pageshow", "online"]) dispatchEvent(new Event(event));
  await pass(29_000);
  expect(asked).toHaveLength(1);
  await pass(1_000);
  dispatchEvent(new Event("focus"));
  dispatchEvent(new Event("pageshow"));
  await pass(0);
  expect(asked).toHaveLength(2);
  await pass(600_000);
  expect(asked).toHaveLength(3);
});

it("announces a new build, and has its worker fetched behind that", async () => {
  const { check, pass, shown } = await watch();
  answers = newest("next");
  await check();
  await pass(0);
  expect(shown()).toEqual({ build: "next", isNeeded: false });
  expect(updates).toBe(1);
  await check(true);
  await pass(0);
  expect(shown()).toEqual({ build: "next", isNeeded: true });
});

it("takes a waiting worker for the signal where no answer comes", async () => {
  const { check, pass, shown } = await watch();
  answers = async () => ({ ok: false });
  await check();
  await pass(0);
  expect(shown()).toBeNull();
  const next = worker("installing");
  registration.installing = next;
  registration.dispatchEvent(new Event("updatefound"));
  Object.assign(next, { state: "installed" });
  registration.waiting = next;
  next.dispatchEvent(new Event("statechange"));
  await pass(300);
  expect(shown()).toEqual({ build: "worker", isNeeded: false });
});

it("asks nobody when the worker of this very build waits", async () => {
  const { check, pass, shown } = await watch();
  registration.waiting = worker("installed");
  await check();
  await pass(0);
  expect(shown()).toBeNull();
  expect(told).toContainEqual({ type: "SKIP_WAITING" });
});

it("has a worker that was there before the page checked again", async () => {
  Object.assign(navigator.serviceWorker, { controller: worker() });
  const { check, pass } = await watch();
  await check();
  await pass(0);
  expect(updates).toBe(1);
});

it("reports to the worker that the page is ready, and which build it is", async () => {
  const { check, pass } = await watch();
  await check();
  await pass(0);
  expect(told).toEqual([{ type: "PAGE_READY" }]);
  const said: unknown[] = [];
  const port = { postMessage: (message: unknown) => said.push(message) };
  navigator.serviceWorker.dispatchEvent(
    Object.assign(new Event("message"), { data: { type: "WHICH_BUILD" }, ports: [port] }),
  );
  expect(said).toEqual(["own"]);
});

it("offers a new build where the browser refuses workers, as to a frame that may keep nothing", async () => {
  vi.spyOn(console, "warn").mockReturnValue();
  Object.assign(navigator.serviceWorker, {
    register: () => Promise.reject(new DOMException("denied", "NotSupportedError")),
  });
  answers = newest("other");
  const { check, shown } = await watch();
  await check();
  expect(shown()).toMatchObject({ build: "other" });
});

describe("the signals of an update", () => {
  it.each<[latest: string | null, worker: string, chunk: string, UpdateSignal]>([
    ["own", "no worker", "all chunks", "none"],
    ["own", "no worker", "a chunk gone", "none"],
    ["own", "a worker waits", "all chunks", "activate"],
    ["own", "a worker waits", "a chunk gone", "activate"],
    ["other", "no worker", "all chunks", "offer"],
    ["other", "a worker waits", "all chunks", "offer"],
    ["other", "no worker", "a chunk gone", "need"],
    ["other", "a worker waits", "a chunk gone", "need"],
    [null, "no worker", "all chunks", "none"],
    [null, "no worker", "a chunk gone", "none"],
    [null, "a worker waits", "all chunks", "offer"],
    [null, "a worker waits", "a chunk gone", "offer"],
  ])("latest %s, %s, %s: %s", async (latest, worker, chunk, expected) => {
    const { updateSignal } = await import("./update-check.ts");
    const seen: Signals = {
      own: "own",
      latest,
      isWorkerWaiting: worker === "a worker waits",
      isChunkGone: chunk === "a chunk gone",
    };
    expect(updateSignal(seen)).toBe(expected);
  });
});
