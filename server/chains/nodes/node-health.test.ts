import { expect, it } from "vitest";
import { createNodeHealth } from "./node-health.ts";

function given() {
  let now = 0;
  let fails = false;
  let probes = 0;
  const changes: string[] = [];
  const call = async () => {
    if (fails) throw new Error("refused");
    return "answer";
  };
  const health = createNodeHealth({
    probe: () => {
      probes += 1;
      return call();
    },
    onChange: (isUsable, reason) => changes.push(isUsable ? "usable" : reason),
    now: () => now,
    timeoutMs: 20,
  });
  /** Seconds that pass; a probe that is due by then has ended. */
  const pass = async (seconds: number) => {
    now += seconds * 1_000;
    health.isUsable();
    await new Promise((resolve) => setImmediate(resolve));
    return health.isUsable();
  };
  return { health, changes, call, pass, probes: () => probes, setFails: (value: boolean) => void (fails = value) };
}

it("a node that fails is not used, and is probed after pauses that double up to a minute", async () => {
  const { health, call, pass, probes, changes, setFails } = given();
  expect(await health.ask(call)).toBe("answer");
  setFails(true);
  await expect(health.ask(call)).rejects.toThrow("refused");
  expect(health.isUsable()).toBe(false);
  expect(await pass(0.9)).toBe(false);
  expect(probes()).toBe(0);
  await pass(0.1);
  await pass(1.9);
  expect(probes()).toBe(1);
  for (const seconds of [0.1, 4, 8, 16, 32, 60, 60]) await pass(seconds);
  expect(probes()).toBe(8);
  setFails(false);
  expect(await pass(60)).toBe(true);
  expect(changes).toEqual(["refused", "usable"]);
});

it("a node that answers and fails in turns is probed as seldom", async () => {
  const { health, call, pass, probes, setFails } = given();
  for (const seconds of [1, 2, 4]) {
    setFails(true);
    await expect(health.ask(call)).rejects.toThrow("refused");
    setFails(false);
    expect(await pass(seconds - 0.5)).toBe(false);
    expect(await pass(0.5)).toBe(true);
  }
  expect(probes()).toBe(3);
});

it("a node that hangs fails at the limit", async () => {
  const { health } = given();
  await expect(health.ask(() => new Promise<never>(() => undefined))).rejects.toThrow("no answer within 20 ms");
  expect(health.isUsable()).toBe(false);
});
