import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BusyError, createRenderQueue } from "./render-queue.ts";

const CLIENT = { address: "203.0.113.1", network: null };
const other = (n: number) => ({ address: `198.51.100.${n}`, network: null });

/** Renders that last until they are ended. */
function openRenders() {
  const begun: PromiseWithResolvers<string>[] = [];
  const render = () => {
    const page = Promise.withResolvers<string>();
    begun.push(page);
    return page.promise;
  };
  return { begun, render };
}

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => void vi.useRealTimers());

it("renders a few pages at a time, the next ones in order, and each in a turn of the loop of its own", async () => {
  const { begun, render } = openRenders();
  const { run } = createRenderQueue({ atATime: 2 });
  const pages = [1, 2, 3, 4].map((n) => run(other(n), render));
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  begun[1]?.resolve("second");
  expect(await pages[1]).toBe("second");
  expect(begun).toHaveLength(2);
  await vi.waitFor(() => expect(begun).toHaveLength(3));
  begun[0]?.reject(new Error("rendering broke"));
  await expect(pages[0]).rejects.toThrow("rendering broke");
  await vi.waitFor(() => expect(begun).toHaveLength(4));
  begun[2]?.resolve("third");
  begun[3]?.resolve("fourth");
  expect(await Promise.all(pages.slice(2))).toEqual(["third", "fourth"]);
});

it("refuses what comes after a full queue, and takes it again once there is room", async () => {
  const { begun, render } = openRenders();
  const { run } = createRenderQueue({ atATime: 1, waiting: 2 });
  const pages = [1, 2, 3].map((n) => run(other(n), render));
  await expect(run(other(4), render)).rejects.toThrow(BusyError);
  begun[0]?.resolve("first");
  await pages[0];
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  const late = run(other(5), render);
  for (const n of [1, 2, 3]) {
    await vi.waitFor(() => expect(begun.length).toBeGreaterThan(n));
    begun[n]?.resolve("later");
  }
  expect(await late).toBe("later");
});

it("leaves room for others whatever one client and one network ask for", async () => {
  const { render } = openRenders();
  const { run } = createRenderQueue({ atATime: 1, waitingOfClient: 1 });
  const held = [run(CLIENT, render), run(CLIENT, render)];
  await expect(run(CLIENT, render)).rejects.toThrow(BusyError);
  const inNetwork = (n: number) => ({ address: `2001:db8:7:${n}::`, network: "2001:db8:7::/48" });
  held.push(...[1, 2, 3, 4].map((n) => run(inNetwork(n), render)));
  await expect(run(inNetwork(5), render)).rejects.toThrow(BusyError);
  held.push(run(other(1), render));
  expect(held).toHaveLength(7);
});

it("lets none wait for ever behind pages whose calls hang", async () => {
  const { begun, render } = openRenders();
  const { run } = createRenderQueue({ atATime: 1, waitingOfClient: 1, waitMs: 5_000 });
  void run(CLIENT, render);
  const late = run(CLIENT, render);
  vi.advanceTimersByTime(5_000);
  await expect(late).rejects.toThrow(BusyError);
  const next = run(CLIENT, render);
  begun[0]?.resolve("hung");
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  begun[1]?.resolve("next");
  expect(await next).toBe("next");
});

it("passes the slot of who leaves to the next one", async () => {
  const { begun, render } = openRenders();
  const { run } = createRenderQueue({ atATime: 1, waiting: 1 });
  const first = run(CLIENT, render);
  const left = new AbortController();
  const leaving = run(other(1), render, left.signal);
  await expect(run(other(2), render)).rejects.toThrow(BusyError);
  left.abort();
  await expect(leaving).rejects.toThrow("has left");
  await expect(run(other(1), render, left.signal)).rejects.toThrow("has left");
  const next = run(other(2), render);
  begun[0]?.resolve("first");
  await first;
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  begun[1]?.resolve("next");
  expect(await next).toBe("next");
});
