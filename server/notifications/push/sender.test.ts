import { afterEach, beforeEach, describe, expect, test } from "vitest";
import webPush from "web-push";
import { PushService, type Browser } from "../../../tests/support/services/push-service.ts";
import type { AddressesOf } from "../../base/outbound/name-lookup.ts";
import type { PushServices, PushTarget } from "./port.ts";
import { createPushSender } from "./sender.ts";

const keys = webPush.generateVAPIDKeys();
const subject = "mailto:push@wherry.test";
const message = { text: "hello, привет", topic: "an-order", urgency: "high", ttlSeconds: 60 } as const;
const running = new AbortController().signal;

let service: PushService;
let browser: Browser;

beforeEach(async () => {
  service = await PushService.start();
  browser = service.subscribe(keys.publicKey);
});
afterEach(() => service[Symbol.asyncDispose]());

const targetOf = ({ endpoint, keys: own }: Browser): PushTarget => ({ endpoint, ...own });
const send = (target: PushTarget, changes: Partial<PushServices> = {}, resolve?: AddressesOf, signal = running) =>
  createPushSender({
    keys,
    subject,
    services: { services: ["push.test"], sandboxService: service.url, ...changes },
    ...(resolve && { resolve }),
  }).send(target, message, signal);

test("a message arrives signed, and readable only by its browser", async () => {
  expect(await send(targetOf(browser))).toEqual({ kind: "answered", status: 201, retryAfterSeconds: null });
  expect(service.received(browser)).toEqual([
    { text: message.text, ttl: 60, urgency: "high", topic: "an-order", subject },
  ]);
});

test("a message that was signed with another key is refused", async () => {
  const other = service.subscribe(webPush.generateVAPIDKeys().publicKey);

  expect(await send(targetOf(other))).toMatchObject({ status: 403 });
  expect(service.received(other)).toEqual([]);
});

describe("an endpoint that may not be sent to", () => {
  test.each(["http://127.0.0.1:1/push", "https://push.example/x", "https://push.test:8443/x"])(
    "%s is never called, whoever subscribed with it",
    async (endpoint) => {
      expect(await send({ ...targetOf(browser), endpoint })).toEqual({ kind: "forbidden" });
    },
  );

  test("is of a known service whose name resolves to a private address", async () => {
    const asked: string[] = [];
    const resolve = async (name: string) => {
      asked.push(name);
      return [
        { address: "142.250.185.74", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ];
    };

    expect(await send({ ...targetOf(browser), endpoint: "https://push.test/x" }, {}, resolve)).toEqual({
      kind: "forbidden",
    });
    expect(asked).toEqual(["push.test"]);
  });

  test("is the target of a redirect", async () => {
    service.answers = [{ location: browser.endpoint }];

    expect(await send(targetOf(browser))).toMatchObject({ kind: "answered", status: 307 });
    expect(service.asked).toBe(1);
  });
});

describe("a push service that", () => {
  test("is down has accepted nothing", async () => {
    await service[Symbol.asyncDispose]();
    expect(await send(targetOf(browser))).toEqual({ kind: "unreachable" });
  });

  test("has no address has accepted nothing", async () => {
    const resolve = async () => {
      throw new Error("ENOTFOUND");
    };
    const target = { ...targetOf(browser), endpoint: "https://push.test/x" };

    expect(await send(target, {}, resolve)).toEqual({ kind: "unreachable" });
  });

  test("breaks off may have accepted it", async () => {
    service.answers = ["drop"];
    expect(await send(targetOf(browser))).toEqual({ kind: "unanswered" });
  });

  test("does not answer may have accepted it when the process stops", async () => {
    service.answers = ["hang"];
    expect(await send(targetOf(browser), {}, undefined, AbortSignal.timeout(300))).toEqual({ kind: "unanswered" });
  });

  test.each([
    ["120", 120],
    [new Date(Date.now() + 60_000).toUTCString(), expect.closeTo(60, -1)],
    ["soon", null],
    ["-5", null],
  ])("asks for patience: %s", async (retryAfter, seconds) => {
    service.answers = [{ status: 429, retryAfter }];
    expect(await send(targetOf(browser))).toEqual({ kind: "answered", status: 429, retryAfterSeconds: seconds });
  });
});
