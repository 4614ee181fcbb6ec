import { describe, expect, it } from "vitest";
import {
  type CreationFailure,
  type FailedCreation,
  isOutcomeUnknown,
  readCreationFailure,
} from "./creation-failure.ts";
import { sampleRate } from "../testing/samples.ts";

const coded = (over: Partial<FailedCreation>): FailedCreation => ({
  kind: "coded",
  code: null,
  message: "",
  httpStatus: 400,
  ...over,
});
const rate = sampleRate({ amountToGet: "1490" });

describe("readCreationFailure", () => {
  it.each<[string, FailedCreation, CreationFailure]>([
    [
      "the rate moved",
      coded({ code: "ERR_UNPROCESSABLE_ENTITY", httpStatus: 422, data: { rate } }),
      { kind: "rate-moved", rate },
    ],
    [
      "the key was used for another body",
      coded({ code: "ERR_UNPROCESSABLE_ENTITY", httpStatus: 422 }),
      { kind: "not-created" },
    ],
    [
      "an unreadable fresh rate",
      coded({ code: "ERR_UNPROCESSABLE_ENTITY", httpStatus: 422, data: { rate: {} } }),
      { kind: "not-created" },
    ],
    [
      "blacklisted",
      coded({ code: "ERR_FORBIDDEN", httpStatus: 403, message: "Client data is blacklisted" }),
      { kind: "blacklisted" },
    ],
    [
      "forbidden otherwise",
      coded({ code: "ERR_FORBIDDEN", httpStatus: 403, message: "cross-site" }),
      { kind: "not-created" },
    ],
    [
      "an unknown referrer",
      coded({ code: "ERR_NOT_FOUND", httpStatus: 404, message: "no such referrerAffiliateId" }),
      { kind: "referrer-unknown" },
    ],
    [
      "refused fields",
      coded({ code: "ERR_VALIDATION", data: { destinationAddress: "bad", refundAddress: "error_address_unpayable" } }),
      { kind: "fields", reasons: { destination: "bad", refund: "error_address_unpayable" } },
    ],
    [
      "a refused email",
      coded({ code: "ERR_VALIDATION", data: { userEmail: "bad" } }),
      { kind: "fields", reasons: { email: "bad" } },
    ],
    [
      "a refused field that the form does not have",
      coded({ code: "ERR_VALIDATION", data: { utmData: "bad" } }),
      { kind: "not-created" },
    ],
    [
      "too big by now",
      coded({
        code: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
        httpStatus: 422,
        data: { expected: "5", instrument: "eth" },
      }),
      { kind: "rate", failure: { kind: "too-big", expected: "5", slug: "eth", floatingMax: null } },
    ],
    [
      "too small to open the account that it is paid to",
      coded({ code: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", data: { accountReserve: "1", reasons: [] } }),
      { kind: "account-missing", reserve: "1" },
    ],
    [
      "too small otherwise",
      coded({ code: "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL", data: { expected: "0.01", instrument: "btc" } }),
      { kind: "rate", failure: { kind: "too-small", expected: "0.01", slug: "btc" } },
    ],
    [
      "the first call still runs",
      coded({ code: "ERR_PRISMA_CLIENT_KNOWN_REQUEST", httpStatus: 409 }),
      { kind: "outcome-unknown" },
    ],
    ["a server error", coded({ code: "ERR_INTERNAL_SERVER_ERROR", httpStatus: 500 }), { kind: "outcome-unknown" }],
    ["a time-out", coded({ kind: "timeout", httpStatus: null }), { kind: "outcome-unknown" }],
    ["a lost network", coded({ kind: "network", httpStatus: null }), { kind: "outcome-unknown" }],
    [
      "a proxy's page instead of an answer",
      coded({ kind: "unreadable", httpStatus: 502 }),
      { kind: "outcome-unknown" },
    ],
    ["an unrecognised success body", coded({ kind: "unreadable", httpStatus: 200 }), { kind: "answer-unreadable" }],
  ])("%s", (_name, failed, failure) => {
    expect(readCreationFailure(failed, "FLOATING")).toEqual(failure);
  });

  it("knows after which answers the order may exist", () => {
    expect(isOutcomeUnknown({ kind: "outcome-unknown" })).toBe(true);
    expect(isOutcomeUnknown({ kind: "answer-unreadable" })).toBe(true);
    expect(isOutcomeUnknown({ kind: "not-created" })).toBe(false);
    expect(isOutcomeUnknown({ kind: "rate-moved", rate })).toBe(false);
  });
});
