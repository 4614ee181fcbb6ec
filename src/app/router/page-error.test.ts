import { expect, it } from "vitest";
import { CallError } from "../../shared/http/call-error.ts";
import { describeError } from "./page-error.ts";

const coded = new CallError({
  kind: "coded",
  message: "Order not found",
  code: "ERR_NOT_FOUND_E",
  httpStatus: 404,
  traceId: "trace-1",
});

it("the service's own message is shown, with its code and trace", () => {
  expect(describeError(coded)).toEqual({
    status: 404,
    message: "Order not found",
    code: "ERR_NOT_FOUND_E",
    traceId: "trace-1",
    isUnreachable: false,
  });
});

it.each([
  ["a defect", new TypeError("secret: postgres://user:word@db")],
  ["an unreadable answer", new CallError({ kind: "unreadable", message: "secret path", httpStatus: 200 })],
  ["a thrown text", "secret"],
  ["nothing", null],
])("the message of %s is masked", (_, error) => {
  expect(describeError(error)).toMatchObject({ status: 500, message: null, code: null, isUnreachable: false });
});

it("an internal message is shown where that is asked for, as outside production", () => {
  expect(describeError(new TypeError("x is undefined"), true)).toMatchObject({
    status: 500,
    message: "x is undefined",
  });
});

it.each(["network", "timeout"] as const)("a service that was not reached is distinguished: %s", (kind) => {
  const described = describeError(new CallError({ kind, message: "fetch failed" }));
  expect(described).toMatchObject({ status: 500, message: null, isUnreachable: true });
});

it("what the server has described stays as it is", () => {
  const described = describeError(coded);
  expect(describeError(described)).toBe(described);
});
