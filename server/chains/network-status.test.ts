import { describe, expect, it } from "vitest";
import { createLog } from "../base/logging/log.ts";
import { monitorReader, createNetworkStatus } from "./network-status.ts";
import type { NetworkReader } from "./port.ts";

const LIMITS = new Map([
  ["ETH", { standstillSeconds: 144, lagBlocks: 5 }],
  ["LTC", { standstillSeconds: 1_800, lagBlocks: 2 }],
  ["XMR", { standstillSeconds: 1_440, lagBlocks: 2 }],
]);
const block = (height: number) => ({ height, hash: `0x${height}` });

function given() {
  let now = 1_000_000;
  const lines: string[] = [];
  const changes: string[] = [];
  const log = createLog({ level: "info", destination: { write: (line: string) => void lines.push(line) } });
  const status = createNetworkStatus({ log, now: () => now, limits: LIMITS });
  status.onChange((networkTitle, isUp) => changes.push(`${networkTitle} ${isUp ? "up" : "down"}`));
  const pass = (seconds: number) => {
    now += seconds * 1000;
  };
  return { status, lines, changes, pass };
}

describe("a network's status", () => {
  it("is up without any report", () => {
    expect(given().status.isUp("ETH")).toBe(true);
  });

  it("has metrics: whether it is up, its newest block and for how long there was no newer one", () => {
    const { status, pass } = given();
    expect(status.figures("ETH")).toEqual({ isUp: true, head: null });
    status.reportHead("ETH", block(7));
    pass(100);
    status.reportHead("ETH", block(7));
    expect(status.figures("ETH")).toEqual({ isUp: true, head: { height: 7, ageSeconds: 100 } });
    pass(44);
    expect(status.figures("ETH")).toEqual({ isUp: false, head: { height: 7, ageSeconds: 144 } });
    status.reportHead("ETH", block(8));
    expect(status.figures("ETH")).toEqual({ isUp: true, head: { height: 8, ageSeconds: 0 } });
  });

  it("is down at once when a single call hung for 10 seconds, counted from the last success", () => {
    const { status, pass } = given();
    status.report("ETH", true);
    pass(10);
    status.report("ETH", false, "timeout", 10_000);
    expect(status.isUp("ETH")).toBe(false);
    status.report("ETH", true);
    pass(4);
    status.report("ETH", false, "timeout", 10_000);
    expect(status.isUp("ETH")).toBe(true);
  });

  it("is down while its node owes an answer for 10 seconds, without waiting for the call's time-out", () => {
    const { status, lines, changes, pass } = given();
    status.report("ETH", true);
    pass(60);
    const answered = status.ask("ETH");
    pass(9.9);
    expect(status.isUp("ETH")).toBe(true);
    pass(0.1);
    expect(status.isUp("ETH")).toBe(false);
    expect(lines.join()).toContain("its node has not answered for 10 seconds");
    answered();
    expect(status.isUp("ETH")).toBe(true);
    expect(changes).toEqual(["ETH down", "ETH up"]);
  });

  it("is up while one call is slow and others are answered", () => {
    const { status, pass } = given();
    status.ask("ETH");
    for (let second = 0; second < 30; second += 1) {
      pass(1);
      status.report("ETH", true);
      expect(status.isUp("ETH")).toBe(true);
    }
  });

  it("is down once calls have failed for 10 seconds, and logs it once", () => {
    const { status, lines, changes, pass } = given();
    status.report("ETH", true);
    status.report("ETH", false, "refused");
    pass(9.9);
    status.report("ETH", false, "refused");
    expect(status.isUp("ETH")).toBe(true);
    pass(0.1);
    status.report("ETH", false, "refused");
    pass(5);
    status.report("ETH", false, "refused");
    expect(status.isUp("ETH")).toBe(false);
    expect(changes).toEqual(["ETH down"]);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain("refused");
  });

  it("is down from the first failure on while nothing has succeeded since the start", () => {
    const { status } = given();
    status.report("ETH", false, "refused");
    expect(status.isUp("ETH")).toBe(false);
    status.report("ETH", true);
    expect(status.isUp("ETH")).toBe(true);
  });

  it("notices the end of the 10 seconds without another report", () => {
    const { status, changes, pass } = given();
    status.report("ETH", true);
    status.report("ETH", false);
    pass(10);
    expect(status.isUp("ETH")).toBe(false);
    expect(changes).toEqual(["ETH down"]);
  });

  it("starts counting again after a success in between", () => {
    const { status, pass } = given();
    status.report("ETH", true);
    status.report("ETH", false);
    pass(9);
    status.report("ETH", true);
    status.report("ETH", false);
    pass(9);
    expect(status.isUp("ETH")).toBe(true);
  });

  it("is up again at the first success", () => {
    const { status, changes, pass } = given();
    status.report("ETH", false);
    pass(30);
    status.report("ETH", false);
    status.report("ETH", true);
    expect(status.isUp("ETH")).toBe(true);
    expect(changes).toEqual(["ETH down", "ETH up"]);
  });

  it.each(["LTC", "XMR"])("stays up through ten minutes without a block of %s, and is down in the end", (network) => {
    const { status, pass } = given();
    const poll = (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 2) {
        pass(2);
        status.report(network, true);
        status.reportTail(network, 5);
        status.reportHead(network, block(5));
      }
      return status.isUp(network);
    };
    status.reportHead(network, block(5));
    expect(poll(600)).toBe(true);
    expect(poll(1_200)).toBe(false);
    status.reportHead(network, block(6));
    expect(status.isUp(network)).toBe(true);
  });

  it("stays up while its blocks are paused on purpose, and counts from the end of the pause", () => {
    const { status, changes, pass } = given();
    status.reportHead("ETH", block(7));
    status.setPaused("ETH", true);
    pass(600);
    status.reportHead("ETH", block(7));
    expect(status.isUp("ETH")).toBe(true);
    status.setPaused("ETH", false);
    pass(143);
    expect(status.isUp("ETH")).toBe(true);
    pass(1);
    expect(status.isUp("ETH")).toBe(false);
    expect(changes).toEqual(["ETH down"]);
  });

  it("is down while its node is behind the blocks that were read, and says so", () => {
    const { status, lines } = given();
    status.reportTail("LTC", 10);
    status.reportHead("LTC", block(9));
    expect(status.isUp("LTC")).toBe(false);
    expect(lines[0]).toContain("behind block 10");
    status.reportHead("LTC", block(10));
    expect(status.isUp("LTC")).toBe(true);
  });

  it("is down while a second node is further ahead than the network's bound", () => {
    const { status } = given();
    status.reportHead("LTC", block(10), { highestHeight: 12 });
    expect(status.isUp("LTC")).toBe(true);
    status.reportHead("LTC", block(10), { highestHeight: 13 });
    expect(status.isUp("LTC")).toBe(false);
  });

  it("is down while new blocks come and none of them is read", () => {
    const { status, pass } = given();
    for (let height = 10; height <= 22; height += 1) {
      status.reportTail("ETH", 9);
      status.reportHead("ETH", block(height));
      pass(12);
    }
    expect(status.isUp("ETH")).toBe(false);
    status.reportTail("ETH", 11);
    expect(status.isUp("ETH")).toBe(true);
  });

  it("is down while blocks are read more slowly than they come, and up once they are read", () => {
    const { status, changes, pass } = given();
    let tail = 9;
    for (let height = 10; height <= 60; height += 1) {
      if (height % 2 === 0) tail += 1;
      status.reportTail("ETH", tail);
      status.reportHead("ETH", block(height));
      pass(12);
    }
    expect(changes).toEqual(["ETH down"]);
    status.reportTail("ETH", 60);
    expect(changes).toEqual(["ETH down", "ETH up"]);
  });

  it("is down until its wallet has answered, although its node answers", () => {
    const { status, changes } = given();
    status.setWalletReady("ETH", false);
    status.report("ETH", true);
    expect(status.isUp("ETH")).toBe(false);
    status.setWalletReady("ETH", true);
    expect(status.isUp("ETH")).toBe(true);
    expect(changes).toEqual(["ETH down", "ETH up"]);
  });

  it("handles each network separately and stops notifying after unsubscribe", () => {
    const { status, pass } = given();
    const changed: string[] = [];
    const end = status.onChange((networkTitle) => changed.push(networkTitle));
    status.report("LTC", false);
    pass(10);
    expect(status.isUp("ETH")).toBe(true);
    expect(status.isUp("LTC")).toBe(false);
    end();
    status.report("LTC", true);
    expect(changed).toEqual(["LTC"]);
  });
});

describe("a monitored reader", () => {
  const head = { height: 7, hash: "0xa", parentHash: "0x9" };
  const readerThat = (answer: () => Promise<typeof head>): NetworkReader => ({
    networkTitle: "ETH",
    feeSlug: "eth",
    parseAddress: () => ({ valid: false, code: null }),
    depositAddress: () => ({ address: "0x", memo: null }),
    depositUri: () => "",
    head: answer,
    blockAt: async () => ({ ...(await answer()), transfers: [] }),
    estimateFee: async () => BigInt((await answer()).height),
  });

  it.each([
    ["head", (reader: NetworkReader) => reader.head()],
    ["blockAt", (reader: NetworkReader) => reader.blockAt(7)],
    ["estimateFee", (reader: NetworkReader) => reader.estimateFee("eth")],
  ])("passes on what %s answers and how it fails, and tells both", async (_name, call) => {
    const { status, pass } = given();
    const dead = monitorReader(
      readerThat(() => Promise.reject(new Error("no node"))),
      status,
    );
    await expect(call(dead)).rejects.toThrow("no node");
    pass(10);
    expect(status.isUp("ETH")).toBe(false);
    await call(
      monitorReader(
        readerThat(() => Promise.resolve(head)),
        status,
      ),
    );
    expect(status.isUp("ETH")).toBe(true);
  });

  it("reports a head that is unchanged", async () => {
    const { status, pass } = given();
    const reader = monitorReader(
      readerThat(() => Promise.resolve(head)),
      status,
    );
    await reader.head();
    pass(144);
    await reader.head();
    expect(status.isUp("ETH")).toBe(false);
  });

  it("compares a head with what had been read when the node was asked, not with what was read meanwhile", async () => {
    const { status, changes } = given();
    const asked = Promise.withResolvers<typeof head>();
    status.reportTail("ETH", 7);
    const slow = monitorReader(
      readerThat(() => asked.promise),
      status,
    ).head();
    status.reportTail("ETH", 8);
    asked.resolve(head);
    await slow;
    expect(changes).toEqual([]);
    await monitorReader(
      readerThat(() => Promise.resolve(head)),
      status,
    ).head();
    expect(changes).toEqual(["ETH down"]);
  });
});
