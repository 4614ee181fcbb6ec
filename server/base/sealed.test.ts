import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { seal, unseal } from "./sealed.ts";

const key = randomBytes(32);
const plain = Buffer.from("a secret");

test("what was sealed opens with its key and context, and looks different each time", () => {
  const sealed = seal(key, plain, "row 1");
  expect(unseal(key, sealed, "row 1")).toEqual(plain);
  expect(sealed.includes(plain)).toBe(false);
  expect(seal(key, plain, "row 1")).not.toEqual(sealed);
});

test.each<[string, (sealed: Buffer) => Buffer]>([
  ["another key", (sealed) => unseal(randomBytes(32), sealed, "row 1")],
  ["another context", (sealed) => unseal(key, sealed, "row 2")],
  [
    "a changed byte",
    (sealed) => unseal(key, Buffer.concat([sealed.subarray(0, -1), Buffer.of((sealed.at(-1) ?? 0) ^ 1)]), "row 1"),
  ],
])("%s opens nothing", (_, open) => expect(() => open(seal(key, plain, "row 1"))).toThrow());
