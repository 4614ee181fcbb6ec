import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CodedError } from "#contract/errors.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { createFakeService } from "../../../shared/testing/fake-service.ts";
import { NoticesSection } from "./notices-section.tsx";

const KEY = Buffer.from([4, ...Array.from({ length: 64 }, (_, index) => index)]);
const ENDPOINT = "https://push.test/1";
const SUBSCRIBE = "POST /api/v1/users/push-subscribe";
const UNSUBSCRIBE = "POST /api/v1/users/push-unsubscribe";
const ON = "On. Withdrawals and identity checks are announced";
const OFF = "Off. Get a message here";

vi.mock("../../../telegram/use-write-access.ts", () => ({
  useWriteAccess: () => ({ state: "open", isAsking: false, ask: () => undefined }),
}));

let view: View | null = null;
let stored: { publicKey: string | null; endpoint: string | null };
let answer: NotificationPermission;
let isSubscribed: boolean;
let service: ReturnType<typeof createFakeService>;

const subscription = {
  endpoint: ENDPOINT,
  options: { applicationServerKey: Uint8Array.from(KEY).buffer },
  toJSON: () => ({ endpoint: ENDPOINT, expirationTime: null, keys: { p256dh: "p", auth: "a" } }),
  unsubscribe: async () => {
    isSubscribed = false;
    return true;
  },
};
const pushManager = {
  getSubscription: async () => (isSubscribed ? subscription : null),
  subscribe: async () => {
    isSubscribed = true;
    return subscription;
  },
};
const permission = {
  permission: "default" as NotificationPermission,
  requestPermission: async () => (permission.permission = answer),
};

beforeEach(() => {
  stored = { publicKey: KEY.toString("base64url"), endpoint: null };
  answer = "granted";
  permission.permission = "default";
  isSubscribed = false;
  service = createFakeService({
    "GET /api/v1/users/push": () => stored,
    [SUBSCRIBE]: ({ body }) => (stored = { ...stored, endpoint: (body as { endpoint: string }).endpoint }),
    [UNSUBSCRIBE]: () => {
      stored = { ...stored, endpoint: null };
      return { isEndpointUsed: false };
    },
  });
  // What a call answers with is no creation.
  vi.stubGlobal("fetch", async (request: Request) => {
    const reply = await service.fetch(request);
    return reply.status === 201 ? Response.json(await reply.json()) : reply;
  });
  vi.stubGlobal("PushManager", Object);
  vi.stubGlobal("Notification", permission);
  const value = { ready: Promise.resolve({ pushManager }) };
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(async () => {
  await view?.unmount();
  view = null;
  delete document.documentElement.dataset["shell"];
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const text = () => view?.container.textContent ?? "";
const says = (words: string) =>
  vi.waitFor(
    async () => {
      await settled();
      expect(text()).toContain(words);
    },
    { timeout: 10_000 },
  );
async function open(): Promise<void> {
  view = await render(<NoticesSection />);
}
const press = () => settled(() => view?.get<HTMLButtonElement>("button").click());

it("is off until a press, goes on for this session, and off again with the browser's own subscription", async () => {
  await open();
  await says(OFF);
  expect(service.askedOf(SUBSCRIBE)).toEqual([]);
  await press();
  await says(ON);
  expect(view?.get("[role=status]").textContent).toBe("Notifications are on.");
  expect(service.askedOf(SUBSCRIBE)).toMatchObject([{ body: { endpoint: ENDPOINT, locale: "en" } }]);
  await press();
  await says(OFF);
  expect([isSubscribed, service.askedOf(UNSUBSCRIBE).length]).toEqual([false, 1]);
});

it("is on where the service still has this browser, and keeps the browser's subscription for orders", async () => {
  stored = { ...stored, endpoint: ENDPOINT };
  permission.permission = "granted";
  isSubscribed = true;
  service.answers[UNSUBSCRIBE] = () => ({ isEndpointUsed: true });
  await open();
  await says(ON);
  await press();
  await says(OFF);
  expect(isSubscribed).toBe(true);
});

it("is off where the service knows another subscription of this session", async () => {
  stored = { ...stored, endpoint: "https://push.test/of-before" };
  permission.permission = "granted";
  isSubscribed = true;
  await open();
  await says(OFF);
});

it("says that the browser blocks notifications, and subscribes to nothing", async () => {
  answer = "denied";
  await open();
  await says(OFF);
  await press();
  await says("Your browser blocks notifications from this site.");
  expect(service.askedOf(SUBSCRIBE)).toEqual([]);
});

it("says that it couldn't be changed, and can be tried again", async () => {
  service.answers[SUBSCRIBE] = () => {
    throw new CodedError("ERR_VALIDATION", "not valid");
  };
  await open();
  await says(OFF);
  await press();
  await says("Notifications couldn’t be changed. Try again.");
  expect(view?.get<HTMLButtonElement>("button").textContent).toContain("Turn on");
});

it("says where the browser has none, without a switch", async () => {
  Object.defineProperty(navigator, "serviceWorker", { configurable: true, value: undefined });
  await open();
  await says("This browser has no notifications.");
  expect(view?.container.querySelector("button")).toBeNull();
});

it("is not there where the service sends none", async () => {
  stored = { publicKey: null, endpoint: null };
  await open();
  for (let turn = 0; turn < 20; turn += 1) await settled(() => new Promise((done) => setTimeout(done)));
  expect(text()).toBe("");
});

it("in Telegram asks whether the bot may write, and has no switch for this device", async () => {
  document.documentElement.dataset["shell"] = "telegram";
  await open();
  await says("Messages in Telegram");
  expect(text()).not.toContain("this device");
  expect(view?.get<HTMLButtonElement>("button").textContent).toContain("Allow messages");
});
