import { createHmac } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebhookReceiver } from "../../../tests/support/partner-api/webhook-receiver.ts";
import { endpointProblem } from "./endpoint.ts";
import { createWebhookSender } from "./sender.ts";

const AT = new Date("2026-11-21T12:00:00.500Z");
const MESSAGE = { id: "one", body: '{"id":"one","data":{}}', at: AT };
const running = new AbortController().signal;

describe("where a webhook may be sent", () => {
  test.each([
    "https://shop.example/hook",
    "https://shop.example:8443/hook?secret=1",
    "https://8.8.8.8/hook",
    "https://[2606:4700::1111]/hook",
  ])("%s", (url) => expect(endpointProblem(url, false)).toBeNull());

  test.each([
    "http://shop.example/hook",
    "ftp://shop.example/hook",
    "https://user:pass@shop.example/hook",
    "https://shop.example/#x",
    "https://localhost/hook",
    "https://intranet/hook",
    "https://127.0.0.1/hook",
    "https://127.1/hook",
    "https://2130706433/hook",
    "https://0x7f000001/hook",
    "https://10.0.0.1/hook",
    "https://169.254.169.254/latest/meta-data",
    "https://[::1]/hook",
    "https://[fd00::1]/hook",
    "https://[::ffff:10.0.0.1]/hook",
    "no url",
    "https://shop.example/\r\nX: y",
    " https://shop.example/hook",
    "https://shop.example/\u202Ekooh",
  ])("not %s", (url) => expect(endpointProblem(url, false)).not.toBeNull());

  test("this machine alone is added by the sandbox", () => {
    for (const url of ["http://127.0.0.1:3000/x", "http://localhost/x", "https://[::1]/x"])
      expect(endpointProblem(url, true)).toBeNull();
    for (const url of ["http://192.168.0.1/x", "http://shop.example/x", "file://localhost/etc/passwd"])
      expect(endpointProblem(url, true)).not.toBeNull();
  });
});

const listening = async () => {
  const receiver = await new WebhookReceiver().listen();
  onTestFinished(() => receiver[Symbol.asyncDispose]());
  return receiver;
};

describe("a webhook", () => {
  test("is signed over its time and its bytes", async () => {
    const receiver = await listening();
    const send = createWebhookSender({ isSandbox: true });
    expect(await send({ url: receiver.url, secret: "whs_1" }, MESSAGE, running)).toEqual({ status: 200, error: null });
    const [seen] = receiver.seen;
    const seconds = AT.getTime() / 1_000 - 0.5;
    const hex = createHmac("sha256", "whs_1").update(`${seconds}.${MESSAGE.body}`).digest("hex");
    expect(seen?.headers["x-wherry-signature"]).toBe(`t=${seconds},v1=${hex}`);
    expect(seen?.text).toBe(MESSAGE.body);
  });

  test("follows no redirect, and counts every answer but 2xx as none", async () => {
    const receiver = await listening();
    const send = createWebhookSender({ isSandbox: true, timeoutMs: 300 });
    for (const [behaviour, status] of [
      ["redirect", 307],
      ["upgrade", 101],
      [500, 500],
      [404, 404],
      ["garbage", null],
      ["cut", null],
      ["flood", null],
      ["hang", null],
    ] as const) {
      receiver.behave = () => behaviour;
      const result = await send({ url: receiver.url, secret: "" }, MESSAGE, running);
      expect(result).toEqual({ status, error: expect.any(String) });
    }
    expect(receiver.seen).toHaveLength(8);
  });

  test("connects to the address that was checked: no name leads inside, now or at a second lookup", async () => {
    const receiver = await listening();
    const port = new URL(receiver.url).port;
    let looks = 0;
    // A name that is public when it is registered, and this machine when it is sent to.
    const rebinding = async () => {
      looks += 1;
      return [
        { address: "8.8.8.8", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ];
    };
    const send = createWebhookSender({ isSandbox: true, resolve: rebinding });
    const inside = await send({ url: `https://rebinding.example:${port}/hook`, secret: "" }, MESSAGE, running);
    expect(inside).toEqual({ status: null, error: "no public address" });
    expect(looks).toBe(1);
    expect(receiver.seen).toEqual([]);
    // What was allowed in a sandbox is not sent without one.
    const outside = createWebhookSender({ isSandbox: false });
    expect(await outside({ url: receiver.url, secret: "" }, MESSAGE, running)).toMatchObject({ status: null });
    expect(receiver.seen).toEqual([]);
  });
});
