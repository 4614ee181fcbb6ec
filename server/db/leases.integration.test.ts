import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { freshDatabase, type TestDatabase } from "../../tests/support/database/database.ts";
import { eventually } from "../../tests/support/eventually.ts";
import { createLog } from "../base/logging/log.ts";
import { openLeases, type Leases } from "./leases.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await freshDatabase();
});
afterAll(() => database.drop());

const open = (): Leases => {
  const leases = openLeases(database.url, database.log);
  onTestFinished(() => leases.close());
  return leases;
};

const takenWithin = (leases: Leases, name: string, ms: number) =>
  eventually(`${name} passes on`, async () => (await leases.hold(name)) || null, ms);

describe("a lease", () => {
  it("belongs to one process at a time, each name for itself", async () => {
    const [one, other] = [open(), open()];
    expect(await Promise.all([one.hold("price snapshots"), one.hold("price snapshots")])).toEqual([true, true]);
    expect(await other.hold("price snapshots")).toBe(false);
    expect(await other.hold("follower ETH")).toBe(true);
    expect(await one.hold("follower ETH")).toBe(false);
    expect(await one.hold("price snapshots")).toBe(true);
  });

  it("is named in the log with all that were taken with it", async () => {
    const lines: { leases?: string[] }[] = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as { leases?: string[] });
    const leases = openLeases(database.url, createLog({ level: "info", destination: { write } }));
    await Promise.all(["logged 1", "logged 2"].map(leases.hold));
    await leases.close();
    expect(lines).toEqual([expect.objectContaining({ leases: ["logged 1", "logged 2"] })]);
  });

  it("is taken by one of many that ask at once", async () => {
    const all = Array.from({ length: 6 }, open);
    const taken = await Promise.all(all.map((leases) => leases.hold("contested")));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it("is released at once when its holder closes", async () => {
    const [one, other] = [open(), open()];
    await one.hold("closing");
    await one.close();
    expect(await one.hold("closing")).toBe(false);
    expect(await other.hold("closing")).toBe(true);
  });

  it("is lost with its connection, whatever the holder believes, and can be taken again", async () => {
    const [one, other] = [open(), open()];
    await one.hold("cut");
    await database.pool.query(
      "select pg_terminate_backend(l.pid) from pg_locks l where l.locktype = 'advisory' and l.objid = hashtext('cut')::bigint::bit(32)::bigint::oid",
    );
    await takenWithin(other, "cut", 3_000);
    expect(await one.hold("cut")).toBe(false);
    await other.close();
    await takenWithin(one, "cut", 3_000);
  });
});

describe("the lease of a process that is killed", () => {
  const script = `
    import { openLeases } from "./server/db/leases.ts";
    import { createLog } from "./server/base/logging/log.ts";
    const leases = openLeases(process.argv[1], createLog({ level: "silent" }));
    process.send(await leases.hold("mortal"));`;

  async function holder(): Promise<ChildProcess> {
    const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", script, database.url], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    expect((await once(child, "message"))[0]).toBe(true);
    return child;
  }

  it("passes to another within two seconds", async () => {
    const child = await holder();
    const other = open();
    expect(await other.hold("mortal")).toBe(false);
    child.kill("SIGKILL");
    await takenWithin(other, "mortal", 2_000);
  });
});
