import { afterEach, describe, expect, it, vi } from "vitest";
import { checkInternet, checkHealth } from "./check.ts";

const DOH = "https://dns.example/dns-query?name=example.com";
const answer = (body: string, status = 200) => vi.fn(async () => new Response(body, { status }));
const silence = () => vi.fn(async () => Promise.reject(new TypeError("no network")));

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function context(fetched: ReturnType<typeof answer>) {
  vi.stubGlobal("fetch", fetched);
  vi.spyOn(console, "debug").mockReturnValue(undefined);
  return fetched;
}

describe("a health check (spec §4)", () => {
  it.each([
    ['{"status":"OK"}', 200, { kind: "answer", status: "OK" }],
    ['{"status":"TECHNICAL_DIFFICULTIES"}', 200, { kind: "answer", status: "TECHNICAL_DIFFICULTIES" }],
    ['{"status":"UNHEALTHY"}', 200, { kind: "answer", status: "UNHEALTHY" }],
    ['{"status":"SLEEPING"}', 200, { kind: "answer", status: "UNKNOWN" }],
    ["{}", 200, { kind: "answer", status: "UNKNOWN" }],
    ["null", 200, { kind: "answer", status: "UNKNOWN" }],
    ["<html>", 200, { kind: "failure" }],
    ['{"status":"OK"}', 500, { kind: "failure" }],
    ["", 503, { kind: "failure" }],
  ] as const)("that is answered %j with %i is %j", async (body, status, event) => {
    context(answer(body, status));
    expect(await checkHealth()).toEqual(event);
  });

  it("that is not answered is a failure, and is not repeated by the client", async () => {
    const fetched = context(silence());
    expect(await checkHealth()).toEqual({ kind: "failure" });
    expect(fetched).toHaveBeenCalledTimes(1);
  });
});

describe("the connectivity check", () => {
  it.each([
    ["an answer", answer('{"Status":0}'), true],
    ["a refusal", answer("", 403), false],
    ["silence", silence(), false],
  ])("takes %s for %s", async (_, fetched, isAvailable) => {
    context(fetched);
    expect(await checkInternet(DOH)).toEqual({ kind: "internet", isAvailable });
    expect(fetched).toHaveBeenCalledExactlyOnceWith(
      DOH,
      expect.objectContaining({ headers: { accept: "application/dns-json" }, credentials: "omit" }),
    );
  });

  it("is not sent by a device that knows that it has no network", async () => {
    const fetched = context(answer("{}"));
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    expect(await checkInternet(DOH)).toEqual({ kind: "internet", isAvailable: false });
    expect(fetched).not.toHaveBeenCalled();
  });
});
