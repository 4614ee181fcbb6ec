import { expect, it } from "vitest";
import { CodedError, type ErrorCode } from "#contract/errors.ts";
import { createLog } from "../base/logging/log.ts";
import { nullWithoutPrice } from "./port.ts";

const log = createLog({ level: "silent" });
const failing = (error: Error) => () => {
  throw error;
};

it.each<[string, ErrorCode]>([
  ["prices are out of date", "ERR_SERVICE_UNAVAILABLE"],
  ["the instrument has left the catalogue", "ERR_PAIR_NOT_ACTIVE"],
])("there is no price while %s", (_, code) => {
  expect(nullWithoutPrice(failing(new CodedError(code, "no price")), log)).toBeNull();
});

it("any other failure is no missing price", () => {
  expect(() => nullWithoutPrice(failing(new TypeError("a bug")), log)).toThrow("a bug");
  expect(() => nullWithoutPrice(failing(new CodedError("ERR_VALIDATION", "wrong")), log)).toThrow("wrong");
});
