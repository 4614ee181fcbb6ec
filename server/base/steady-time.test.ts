import { beforeEach, expect, it } from "vitest";
import { createSteadyTime } from "./steady-time.ts";

const HOUR = 3_600_000;
let system = 0;
let tick = 0;
const pass = (ms: number) => {
  system += ms;
  tick += ms;
};
const steady = () =>
  createSteadyTime(
    () => system,
    () => tick,
  );

beforeEach(() => {
  system = 10 * HOUR;
  tick = 500;
});

it("follows the system's clock, also when it jumps forward", () => {
  const time = steady();
  pass(1_000);
  expect(time.now()).toBe(system);
  system += HOUR;
  expect(time.now()).toBe(system);
});

it("goes on when the system's clock is set back, so that every deadline still ends", () => {
  const time = steady();
  const before = time.now();
  system -= HOUR;
  expect(time.now()).toBe(before);
  pass(60_000);
  expect(time.now()).toBe(before + 54_000);
});

it("meets the system's clock again", () => {
  const time = steady();
  system -= HOUR;
  for (let minute = 0; minute < 601; minute += 1) {
    pass(60_000);
    time.now();
  }
  expect(time.now()).toBe(system);
});

it("is never before a time that was reached elsewhere", () => {
  const time = steady();
  time.reach(system + HOUR);
  expect(time.now()).toBe(system + HOUR);
  time.reach(system);
  expect(time.now()).toBe(system + HOUR);
});
