import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SERVER_TIME_HEADER } from "#contract/headers.ts";
import { createSendCall } from "./send-call.ts";

const KEY = { publicKey: `wk_${"a1".repeat(16)}`, secretKey: "ws_a-secret" };
const WINDOW_MS = 30_000;

let ahead = 0;
/** A sandbox's clock, which signs nothing. */
let businessAhead = 0;
let stamps: number[] = [];
let call: ReturnType<typeof createSendCall>;
beforeEach(() => {
  call = createSendCall();
  stamps = [];
  businessAhead = 0;
  vi.stubGlobal("fetch", async (_path: string, { headers }: { headers: Record<string, string> }) => {
    const now = Date.now() + ahead;
    const stamp = Number(headers["x-api-timestamp"]);
    stamps.push(stamp);
    const status = Math.abs(stamp - now) > WINDOW_MS ? 401 : 200;
    return Response.json({}, { status, headers: timesAt(now) });
  });
});
const timesAt = (now: number) => ({
  date: new Date(now).toUTCString(),
  [SERVER_TIME_HEADER]: new Date(now + businessAhead).toISOString(),
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const send = () => call(KEY, { method: "GET", path: "/api/v2/partner/pairs", body: null, isIdempotent: false });

test.each([0, 3_600_000, -86_400_000])(
  "a call is signed with the server's time, by which ours is %i ms off",
  async (by) => {
    ahead = by;
    expect(await send()).toMatchObject({ status: 200 });
    expect(stamps).toHaveLength(by === 0 ? 1 : 2);
    expect(await send()).toMatchObject({ status: 200 });
    expect(stamps, "the second one knows").toHaveLength(by === 0 ? 2 : 3);
  },
);

test("calls go on being signed with the real time where a sandbox's clock was moved", async () => {
  ahead = 0;
  businessAhead = 3_600_000;
  for (let n = 0; n < 3; n += 1) expect(await send()).toMatchObject({ status: 200 });
  expect(stamps).toHaveLength(3);
});

test("a call that is refused for something else is made once", async () => {
  ahead = 0;
  vi.stubGlobal("fetch", async () => {
    stamps.push(0);
    return Response.json({}, { status: 401, headers: timesAt(Date.now()) });
  });
  expect(await send()).toMatchObject({ status: 401 });
  expect(stamps).toHaveLength(1);
});
