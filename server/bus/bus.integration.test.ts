import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { eventually } from "../../tests/support/eventually.ts";
import { RedisServer } from "../../tests/support/redis-server.ts";
import { createLog } from "../base/log.ts";
import { openShared } from "./index.ts";
import { createLocalHub } from "./local.ts";
import { INVALIDATIONS, type Bus, type Invalidation } from "./port.ts";

const log = createLog({ level: "silent" });
let redis: RedisServer;
beforeAll(async () => {
  redis = await RedisServer.start();
});
afterAll(() => redis[Symbol.asyncDispose]());

/** What a member has received since the last reset. */
function recording(bus: Bus): { received: Invalidation[]; reset(): void } {
  const received: Invalidation[] = [];
  for (const invalidation of INVALIDATIONS) bus.on(invalidation, () => void received.push(invalidation));
  return { received, reset: () => void received.splice(0) };
}

const overRedis = (): Bus => {
  const { bus, close } = openShared(redis.url, log);
  onTestFinished(close);
  return bus;
};

/** Waits until the bus delivers from one to the other, and nothing is on its way. */
async function connected(publisher: Bus, { received, reset }: ReturnType<typeof recording>): Promise<void> {
  const count = (invalidation: Invalidation) => received.filter((one) => one === invalidation).length;
  await eventually("an invalidation arrives beside the one of the connection", () => {
    publisher.publish("clock");
    return count("clock") > 1 || null;
  });
  const before = count("prices");
  publisher.publish("prices");
  await eventually("everything published before has arrived", () => count("prices") > before || null);
  reset();
}

const adapters: { name: string; members: () => Promise<[Bus, Bus, Bus]> }[] = [
  {
    name: "in one process",
    members: async () => {
      const hub = createLocalHub();
      return [hub.join(), hub.join(), hub.join()];
    },
  },
  {
    name: "over Redis",
    members: async () => {
      const members: [Bus, Bus, Bus] = [overRedis(), overRedis(), overRedis()];
      for (const member of members.slice(1)) await connected(members[0], recording(member));
      await connected(members[1], recording(members[0]));
      return members;
    },
  },
];

describe.each(adapters)("a bus $name", ({ members }) => {
  it("delivers an invalidation to every other member, and only that one", async () => {
    const [publisher, one, other] = await members();
    const [own, first, second] = [recording(publisher), recording(one), recording(other)];
    publisher.publish("price-snapshots");
    await eventually("both receive it", () => (first.received.length === 1 && second.received.length === 1) || null);
    expect([own.received, first.received, second.received]).toEqual([[], ["price-snapshots"], ["price-snapshots"]]);
  });

  it("no longer calls a listener that has ended, or a member that has closed", async () => {
    const [publisher, one, other] = await members();
    const called: string[] = [];
    const end = one.on("work", () => void called.push("ended"));
    one.on("work", () => void called.push("listening"));
    other.on("work", () => void called.push("closed"));
    end();
    await other.close();
    publisher.publish("work");
    await eventually("the remaining one is called", () => called.includes("listening") || null);
    expect(called).toEqual(["listening"]);
  });
});

describe("a bus whose Redis dies", () => {
  it("drops invalidations without an error, reconnects by itself, and calls every listener, which may have missed one", async () => {
    await using mortal = await RedisServer.start();
    const [publisher, listener] = [openShared(mortal.url, log), openShared(mortal.url, log)];
    onTestFinished(async () => void (await Promise.all([publisher.close(), listener.close()])));
    const recorder = recording(listener.bus);
    await connected(publisher.bus, recorder);

    await mortal.kill9();
    await eventually("the outage is noticed", () => publisher.redis?.status !== "ready" || null);
    publisher.bus.publish("work");
    expect(recorder.received).toEqual([]);

    await mortal.start();
    await eventually("every listener is called once", () => recorder.received.length >= INVALIDATIONS.length || null);
    expect(new Set(recorder.received)).toEqual(new Set(INVALIDATIONS));
    await connected(publisher.bus, recorder);
  });

  it("also starts without Redis", async () => {
    await using late = await RedisServer.start();
    await late.kill9();
    const [publisher, listener] = [openShared(late.url, log), openShared(late.url, log)];
    onTestFinished(async () => void (await Promise.all([publisher.close(), listener.close()])));
    const recorder = recording(listener.bus);
    publisher.bus.publish("work");
    await late.start();
    await connected(publisher.bus, recorder);
  });
});
