import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { eventually } from "../../tests/support/eventually.ts";
import { RedisServer } from "../../tests/support/processes/redis-server.ts";
import { createLog } from "../base/logging/log.ts";
import { openShared, type Shared } from "./index.ts";
import { INVALIDATIONS, type Bus, type Invalidation } from "./port.ts";

const log = createLog({ level: "silent" });
let redis: RedisServer;
let database: TestDatabase;
beforeAll(async () => {
  redis = await RedisServer.start();
  database = await freshDatabase();
});
afterAll(() => Promise.all([redis[Symbol.asyncDispose](), database.drop()]));

const openRedis = (url: string) => openShared({ redisUrl: url, databaseUrl: database.url }, log);
const openPostgres = () => openShared({ redisUrl: null, databaseUrl: database.url }, log);

/** What a member has received since the last reset. */
function recording(bus: Bus): { received: Invalidation[]; reset(): void } {
  const received: Invalidation[] = [];
  for (const invalidation of INVALIDATIONS) bus.on(invalidation, () => void received.push(invalidation));
  return { received, reset: () => void received.splice(0) };
}

const joined = ({ bus, close }: Shared): Bus => {
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
  // The second one may be held back, as what was published before it may be.
  publisher.publish("prices");
  publisher.publish("prices");
  await eventually("everything published before has arrived", () => count("prices") > before + 1 || null);
  reset();
}

const adapters: { name: string; join: () => Bus }[] = [
  { name: "over PostgreSQL", join: () => joined(openPostgres()) },
  { name: "over Redis", join: () => joined(openRedis(redis.url)) },
];

/** Three members that hear each other. */
async function membersOf(join: () => Bus): Promise<[Bus, Bus, Bus]> {
  const members: [Bus, Bus, Bus] = [join(), join(), join()];
  for (const member of members.slice(1)) await connected(members[0], recording(member));
  await connected(members[1], recording(members[0]));
  return members;
}

describe.each(adapters)("a bus $name", ({ join }) => {
  it("delivers an invalidation to every other member, and only that one", async () => {
    const [publisher, one, other] = await membersOf(join);
    const [own, first, second] = [recording(publisher), recording(one), recording(other)];
    publisher.publish("price-snapshots");
    await eventually("both receive it", () => (first.received.length === 1 && second.received.length === 1) || null);
    expect([own.received, first.received, second.received]).toEqual([[], ["price-snapshots"], ["price-snapshots"]]);
  });

  it("no longer calls a listener that has ended, or a member that has closed", async () => {
    const [publisher, one, other] = await membersOf(join);
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
    const [publisher, listener] = [openRedis(mortal.url), openRedis(mortal.url)];
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
    const [publisher, listener] = [openRedis(late.url), openRedis(late.url)];
    onTestFinished(async () => void (await Promise.all([publisher.close(), listener.close()])));
    const recorder = recording(listener.bus);
    publisher.bus.publish("work");
    await late.start();
    await connected(publisher.bus, recorder);
  });
});

describe("a bus over PostgreSQL whose connection breaks", () => {
  it("reconnects by itself, and calls every listener, which may have missed something", async () => {
    const [publisher, listener] = [joined(openPostgres()), joined(openPostgres())];
    const recorder = recording(listener);
    await connected(publisher, recorder);
    const cut = await database.pool.query<{ pid: number }>(
      "select pid, pg_terminate_backend(pid) from pg_stat_activity where application_name = 'wherry bus' and datname = current_database()",
    );
    expect(cut.rows.length).toBeGreaterThanOrEqual(2);
    await eventually("every listener is called", () => recorder.received.length >= INVALIDATIONS.length || null);
    expect(new Set(recorder.received)).toEqual(new Set(INVALIDATIONS));
    await connected(publisher, recorder);
  });

  it("publishes at most ten times a second, and never loses the last of a burst", async () => {
    const [publisher, listener] = [joined(openPostgres()), joined(openPostgres())];
    const recorder = recording(listener);
    await connected(publisher, recorder);
    for (let at = 0; at < 1_000; at += 1) publisher.publish("work");
    await eventually("the first and the last arrive", () => recorder.received.length === 2 || null);
    publisher.publish("prices");
    await eventually("what was published later arrives", () => recorder.received.includes("prices") || null);
    expect(recorder.received).toEqual(["work", "work", "prices"]);
  });
});
