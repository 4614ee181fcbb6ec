import type { BrowserContext, CDPSession, Page } from "@playwright/test";
import { pushNotificationSchema } from "#contract/accounts/push.ts";
import { expectAccessible } from "../a11y/accessible.ts";
import { eventually } from "../support/eventually.ts";
import { PushService, type Browser } from "../support/services/push-service.ts";
import { newEmail, register, signIn } from "./support/accounts.ts";
import { newOrder, orderPath } from "./support/orders.ts";
import { expect, pathIn, test } from "./support/test.ts";
import { wholeChromium } from "./support/whole-chromium.ts";

test.use({ lang: "ru", hasWorker: true, ...wholeChromium });

test(
  "push notifications of an order arrive, open it, and can be ended; the profile has its own",
  { tag: "@phone" },
  async ({ page, context, open, texts, api, lang, request }) => {
    await using service = await PushService.start(Number(process.env["E2E_PUSH_PORT"]));
    const { publicKey } = await api.call("pushKey", {});
    const browser = service.subscribe(publicKey ?? "");
    await context.grantPermissions(["notifications"]);
    await standInForPushManager(page, browser);
    const order = await newOrder(api);
    await open(orderPath(order));

    await page.getByRole("button", { name: texts.notifications("start") }).click();
    await expect(page.getByRole("button", { name: texts.notifications("stop") })).toBeVisible();
    await expectAccessible(page);

    // Too small to be exchanged: the order stays open, however long the rest takes.
    await api.call("sandboxPay", { body: { orderId: order.orderId, amount: "0.001" } });
    const message = await eventually("the notice", () => service.received(browser)[0] ?? null, 30_000);
    const { title, body } = pushNotificationSchema.parse(JSON.parse(message.text));
    expect(title).toBe(`Заявка ${order.reference}`);

    await page.goto(pathIn(lang, "/"));
    // The browser's command answers before the worker has got the message, and says nothing when it never does.
    await expect(async () => {
      await deliver(context, page, message.text);
      await expect.poll(() => displayed(context), { timeout: 3_000 }).toEqual([{ title, body, lang }]);
    }).toPass({ timeout: 15_000 });
    const path = await pressNotice(context);
    expect(path).toBe(pathIn(lang, orderPath(order)));

    await page.goto(path);
    await expect(page.getByText(order.reference).first()).toBeVisible();
    const ended = page.waitForResponse((response) => response.url().endsWith("/push-unsubscribe"));
    await page.getByRole("button", { name: texts.notifications("stop") }).click();
    expect((await ended).status()).toBe(200);
    await expect(page.getByRole("button", { name: texts.notifications("start") })).toBeVisible();

    // The account's own are switched in the profile, and stay on after a reload.
    const { account } = texts;
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    await open("/profile/info");
    const named = (action: string) => page.getByRole("button", { name: `${action} ${account("notices.title")}` });
    await named(account("notices.start")).click();
    await expect(page.getByText(account("notices.on"))).toBeVisible();
    await expectAccessible(page);
    await page.reload();
    await named(account("notices.stop")).click();
    await expect(page.getByText(account("notices.off"))).toBeVisible();
  },
);

/** The browser's own push service is on the internet; its answers are known, and live as long as the browser. */
async function standInForPushManager(page: Page, { endpoint, keys }: Browser): Promise<void> {
  await page.addInitScript(
    (given) => {
      const KEY = "a-browser-is-subscribed";
      const subscription = {
        endpoint: given.endpoint,
        options: { applicationServerKey: null },
        toJSON: () => ({ ...given, expirationTime: null }),
        unsubscribe: async () => (localStorage.removeItem(KEY), true),
      };
      const known = async () => (localStorage.getItem(KEY) === null ? null : subscription);
      const subscribe = async () => (localStorage.setItem(KEY, "yes"), subscription);
      Object.assign(PushManager.prototype, { getSubscription: known, subscribe });
    },
    { endpoint, keys },
  );
}

/** The push service wakes the worker. */
async function deliver(context: BrowserContext, page: Page, data: string): Promise<void> {
  const session = await context.newCDPSession(page);
  const registrationId = await registrationOf(session);
  await session.send("ServiceWorker.deliverPushMessage", { origin: new URL(page.url()).origin, registrationId, data });
  await session.detach();
}

const registrationOf = (session: CDPSession): Promise<string> =>
  new Promise((resolve, reject) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations: [registration] }) => {
      if (registration) resolve(registration.registrationId);
    });
    session.send("ServiceWorker.enable").catch(reject);
  });

function workerOf(context: BrowserContext) {
  const [worker] = context.serviceWorkers();
  if (worker === undefined) throw new Error("the page has no worker");
  return worker;
}

type WorkerScope = {
  registration: ServiceWorkerRegistration;
  clients: { openWindow(url: string): Promise<unknown> };
};

const displayed = (context: BrowserContext) =>
  workerOf(context).evaluate(async () => {
    const { registration } = globalThis as unknown as WorkerScope;
    return (await registration.getNotifications()).map(({ title, body, lang }) => ({ title, body, lang }));
  });

/** A headless browser shows no notifications to press: the worker gets the click event, and the page that it opens is the result. */
const pressNotice = (context: BrowserContext): Promise<string> =>
  workerOf(context).evaluate(async () => {
    const { registration, clients } = globalThis as unknown as WorkerScope;
    const [notification] = await registration.getNotifications();
    const work: Promise<unknown>[] = [];
    const opened: string[] = [];
    Object.defineProperty(clients, "openWindow", { value: async (url: string) => opened.push(url) });
    const press = Object.assign(new Event("notificationclick"), {
      notification,
      waitUntil: (promise: Promise<unknown>) => work.push(promise),
    });
    globalThis.dispatchEvent(press);
    await Promise.all(work);
    return opened.join(" ");
  });
