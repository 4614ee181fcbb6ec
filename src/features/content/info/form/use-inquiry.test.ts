import { expect, it } from "vitest";
import { CallError } from "../../../../shared/http/call-error.ts";
import { failureOf } from "./use-inquiry.ts";

const coded = (httpStatus: number, code: "ERR_SERVICE_UNAVAILABLE" | "ERR_BAD_REQUEST", data = {}) =>
  new CallError({ kind: "coded", message: "", httpStatus, code, data });

it.each([
  ["no network", new CallError({ kind: "network", message: "" }), "unreachable"],
  // The message may be on its way all the same.
  ["no answer in time", new CallError({ kind: "timeout", message: "" }), "unknown"],
  ["a mail server that is down", coded(503, "ERR_SERVICE_UNAVAILABLE", { delivery: "failed" }), "notMailed"],
  ["a mail server that fell silent", coded(503, "ERR_SERVICE_UNAVAILABLE", { delivery: "unknown" }), "unknown"],
  ["too many messages", coded(429, "ERR_BAD_REQUEST"), "tooMany"],
  ["anything else", coded(400, "ERR_BAD_REQUEST"), "other"],
  ["a fault of ours", new TypeError("x"), "other"],
])("after %s the form says so", (_, error, failure) => expect(failureOf(error)).toBe(failure));
