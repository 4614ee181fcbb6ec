import { expect, it } from "vitest";
import { deriveMemo } from "./deposit-memos.ts";

const COUNT = 5_000;
const memosOf = (key: string) => Array.from({ length: COUNT }, (_, at) => Number(deriveMemo(key, BigInt(at))));

it("no two indexes share a memo, and an index keeps its own", () => {
  const memos = memosOf("key");
  expect(new Set(memos).size).toBe(COUNT);
  expect(memos).toEqual(memosOf("key"));
  for (const memo of memos) expect(memo >= 0 && memo < 2 ** 32).toBe(true);
  expect(() => deriveMemo("key", 2n ** 32n)).toThrow(RangeError);
  expect(() => deriveMemo("key", -1n)).toThrow(RangeError);
});

it("the whole range is used", () => {
  const sixteenths = memosOf("key").map((memo) => Math.floor(memo / 2 ** 28));
  for (let part = 0; part < 16; part += 1) expect(sixteenths.filter((one) => one === part).length).toBeGreaterThan(200);
});

it("two memos, or what lies between them, say nothing of their order or of the next one", () => {
  const memos = memosOf("key");
  const rising = memos.filter((memo, at) => at > 0 && memo > (memos[at - 1] ?? 0)).length / COUNT;
  expect(Math.abs(rising - 0.5)).toBeLessThan(0.05);
  const steps = new Set(memos.slice(1).map((memo, at) => (memo - (memos[at] ?? 0) + 2 ** 32) % 2 ** 32));
  expect(steps.size).toBeGreaterThan(COUNT - 50);
  const others = memosOf("another key");
  expect(memos.filter((memo, at) => memo === others[at])).toEqual([]);
});

it("with one wrong digit is hardly ever that of another order", () => {
  const memos = new Set(Array.from({ length: 1_000 }, (_, at) => deriveMemo("key", BigInt(at + 1))));
  let taken = 0;
  for (const memo of memos)
    for (let at = 0; at < memo.length; at += 1)
      for (const digit of "0123456789")
        if (digit !== memo[at] && memos.has(memo.slice(0, at) + digit + memo.slice(at + 1))) taken += 1;
  expect(taken).toBeLessThan(50);
});
