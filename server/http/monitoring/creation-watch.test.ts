import { expect, it } from "vitest";
import { CommitUnknownError } from "../../db/transaction.ts";
import { watchCreations } from "./creation-watch.ts";

function given() {
  let now = 0;
  const watch = watchCreations(() => now);
  const pass = (ms: number) => {
    now += ms;
  };
  const fail = (error: Error) => {
    const creation = watch.last(async () => {
      throw error;
    });
    return expect(creation).rejects.toBe(error);
  };
  return { watch, pass, fail };
}
const TIMEOUT = new Error("timeout exceeded when trying to connect");

it("creations that hang are noticed, until one succeeds", async () => {
  const { watch, pass } = given();
  const hung = Promise.withResolvers<string>();
  const hanging = watch.last(() => hung.promise);
  pass(4_999);
  expect(watch.isFailingFor(5_000)).toBe(false);
  pass(1);
  expect(watch.isFailingFor(5_000)).toBe(true);
  await watch.last(async () => "made");
  expect(watch.isFailingFor(5_000)).toBe(false);
  pass(5_000);
  expect(watch.isFailingFor(5_000)).toBe(true);
  hung.resolve("made");
  await hanging;
  expect(watch.isFailingFor(5_000)).toBe(false);
});

it("creations that fail on the database one after the other are noticed, and forgotten when nobody tries any more", async () => {
  const { watch, pass, fail } = given();
  await fail(TIMEOUT);
  pass(5_000);
  await fail(new CommitUnknownError("the reply was lost"));
  expect(watch.isFailingFor(5_000)).toBe(true);
  pass(30_001);
  expect(watch.isFailingFor(5_000)).toBe(false);
});

it("a refused creation says nothing", async () => {
  const { watch, pass, fail } = given();
  await fail(new Error("the pair is not active"));
  pass(60_000);
  expect(watch.isFailingFor(5_000)).toBe(false);
});

it("a step that succeeds says nothing of the order that can't be stored", async () => {
  const { watch, pass, fail } = given();
  await fail(TIMEOUT);
  await watch.step(async () => "read");
  pass(5_000);
  expect(watch.isFailingFor(5_000)).toBe(true);
  await watch.last(async () => "stored");
  expect(watch.isFailingFor(5_000)).toBe(false);
});

it("a step that hangs or fails is noticed", async () => {
  const { watch, pass } = given();
  const hung = Promise.withResolvers<string>();
  const hanging = watch.step(() => hung.promise);
  pass(5_000);
  expect(watch.isFailingFor(5_000)).toBe(true);
  hung.reject(TIMEOUT);
  await expect(hanging).rejects.toBe(TIMEOUT);
  expect(watch.isFailingFor(5_000)).toBe(true);
});
