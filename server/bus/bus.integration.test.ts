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

/** What a member has heard since it was last forgotten. */
function hearing(bus: Bus): { heard: Invalidation[]; forget(): void } {
  const heard: Invalidation[] = [];
  for (const hint of INVALIDATIONS) bus.on(hint, () => void heard.push(hint));
  return { heard, forget: () => void heard.splice(0) };
}

const overRedis = (): Bus => {
  const { bus, close } = openShared(redis.url, log);
  onTestFinished(close);
  return bus;
};

/** Waits until the bus carries hints from one to the other, and nothing is on its way. */
async function connected(teller: Bus, { heard, forget }: ReturnType<typeof hearing>): Promise<void> {
  const count = (hint: Invalidation) => heard.filter((one) => one === hint).length;
  await eventually("a hint is heard beside the one of the connection", () => {
    teller.tell("clock");
    return count("clock") > 1 || null;
  });
  const before = count("prices");
  teller.tell("prices");
  await eventually("all that was told before is heard", () => count("prices") > before || null);
  forget();
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
      for (const member of members.slice(1)) await connected(members[0], hearing(member));
      await connected(members[1], hearing(members[0]));
      return members;
    },
  },
];

describe.each(adapters)("a bus $name", ({ members }) => {
  it("carries a hint to everybody but the teller, and only that hint", async () => {
    const [teller, one, other] = await members();
    const [own, first, second] = [hearing(teller), hearing(one), hearing(other)];
    teller.tell("price-snapshots");
    await eventually("both hear it", () => (first.heard.length === 1 && second.heard.length === 1) || null);
    expect([own.heard, first.heard, second.heard]).toEqual([[], ["price-snapshots"], ["price-snapshots"]]);
  });

  it("no longer calls who has ended it, or has closed", async () => {
    const [teller, one, other] = await members();
    const heard: string[] = [];
    const end = one.on("work", () => void heard.push("ended"));
    one.on("work", () => void heard.push("kept"));
    other.on("work", () => void heard.push("closed"));
    end();
    await other.close();
    teller.tell("work");
    await eventually("the one that stays hears it", () => heard.includes("kept") || null);
    expect(heard).toEqual(["kept"]);
  });
});

describe("a bus whose Redis dies", () => {
  it("drops hints without an error, is back by itself, and has every listener look at what it may have missed", async () => {
    await using mortal = await RedisServer.start();
    const [teller, listener] = [openShared(mortal.url, log), openShared(mortal.url, log)];
    onTestFinished(async () => void (await Promise.all([teller.close(), listener.close()])));
    const ear = hearing(listener.bus);
    await connected(teller.bus, ear);

    await mortal.kill9();
    await eventually("the outage is noticed", () => teller.redis?.status !== "ready" || null);
    teller.bus.tell("work");
    expect(ear.heard).toEqual([]);

    await mortal.start();
    await eventually("every hint is called once", () => ear.heard.length >= INVALIDATIONS.length || null);
    expect(new Set(ear.heard)).toEqual(new Set(INVALIDATIONS));
    await connected(teller.bus, ear);
  });

  it("starts without it as well", async () => {
    await using late = await RedisServer.start();
    await late.kill9();
    const [teller, listener] = [openShared(late.url, log), openShared(late.url, log)];
    onTestFinished(async () => void (await Promise.all([teller.close(), listener.close()])));
    const ear = hearing(listener.bus);
    teller.bus.tell("work");
    await late.start();
    await connected(teller.bus, ear);
  });
});
