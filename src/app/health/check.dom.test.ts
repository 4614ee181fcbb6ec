import { afterEach, describe, expect, it, vi } from "vitest";
import { type HealthObservation, observeHealth } from "./check.ts";

const DOH = "https://dns.example/dns-query?name=example.com";
const last: HealthObservation = {
  status: "OK",
  failures: 0,
  since: null,
  checkedAt: null,
  nextAt: null,
  intervalMs: 5_000,
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

type Answer = () => Promise<Response>;
const answer =
  (body: string, status = 200): Answer =>
  async () =>
    new Response(body, { status });
const silence: Answer = () => Promise.reject(new TypeError("no network"));

/** A service and a public DNS server that answer like this. */
function network(service: Answer, dns: Answer = silence) {
  const toDns = vi.fn((_url: string, _options: RequestInit) => dns());
  const toService = vi.fn(service);
  vi.stubGlobal("fetch", (input: Request | string, options: RequestInit) =>
    input === DOH ? toDns(input, options) : toService(),
  );
  vi.spyOn(console, "debug").mockReturnValue(undefined);
  return { toService, toDns };
}

describe("a health check (spec §4)", () => {
  it.each([
    ['{"status":"OK"}', 200, { status: "OK", failures: 0 }],
    ['{"status":"TECHNICAL_DIFFICULTIES"}', 200, { status: "TECHNICAL_DIFFICULTIES", failures: 0 }],
    ['{"status":"UNHEALTHY"}', 200, { status: "UNHEALTHY", failures: 0 }],
    ['{"status":"SLEEPING"}', 200, { status: "UNHEALTHY", failures: 0 }],
    ["{}", 200, { status: "UNHEALTHY", failures: 0 }],
    ["null", 200, { status: "UNHEALTHY", failures: 0 }],
    ["<html>", 200, { status: "OK", failures: 1 }],
    ['{"status":"OK"}', 500, { status: "OK", failures: 1 }],
    ["", 503, { status: "OK", failures: 1 }],
  ] as const)("that is answered %j with %i is %j", async (body, status, health) => {
    network(answer(body, status));
    expect(await observeHealth(last, DOH)).toMatchObject(health);
  });

  it("that is not answered is a failure, and is not repeated by the client", async () => {
    const { toService, toDns } = network(silence);
    expect(await observeHealth(last, DOH)).toMatchObject({ status: "OK", failures: 1 });
    expect(toService).toHaveBeenCalledTimes(1);
    expect(toDns).not.toHaveBeenCalled();
  });
});

describe("the connectivity check after more failures than are tolerated", () => {
  const failing = { ...last, failures: 3 };

  it.each([
    ["an answer", answer('{"Status":0}'), "UNHEALTHY"],
    ["a refusal", answer("", 403), "OK"],
    ["silence", silence, "OK"],
  ])("takes %s for a service that is %s", async (_, dns, status) => {
    const { toDns } = network(silence, dns);
    expect(await observeHealth(failing, DOH)).toMatchObject({ status, failures: 4 });
    expect(toDns).toHaveBeenCalledExactlyOnceWith(
      DOH,
      expect.objectContaining({ headers: { accept: "application/dns-json" }, credentials: "omit" }),
    );
  });

  it("is not sent by a device that knows that it has no network", async () => {
    const { toDns } = network(silence, answer("{}"));
    vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
    expect(await observeHealth(failing, DOH)).toMatchObject({ status: "OK", failures: 4 });
    expect(toDns).not.toHaveBeenCalled();
  });
});
