import { expect, test } from "vitest";
import { documentKey } from "./sealing.ts";

test("documents that are stored already open: their key's name and their bytes stay as they are", () => {
  const key = documentKey(Buffer.from("00112233445566778899aabbccddeeff".repeat(2), "hex"));
  const stored = "f8fad38233bfa81ad9a27195886e11eaac55cd362a4c595ca028fbafb5d2a42c023c4486140f";
  expect(key.id).toBe("f4e210804e03a9f5");
  expect(key.open(Buffer.from(stored, "hex"), "verification 7 front").toString()).toBe("a document");
  expect(() => key.open(Buffer.from(stored, "hex"), "verification 7 back")).toThrow();
});
