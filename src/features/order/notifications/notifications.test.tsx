import { act } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { CallError } from "../../../shared/http/call-error.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { NotificationsOffer } from "./notifications-offer.tsx";
import { localStore } from "../../../shared/browser/storage.ts";
import { sampleOrder } from "../testing/sample-order.ts";

const order = sampleOrder(["CREATION_END"]);
const other = sampleOrder(["CREATION_END"], { orderId: "B".repeat(24), reference: "OTHR-ONE1" });
const KEY = Buffer.from([4, ...Array.from({ length: 64 }, (_, index) => index)]);

/** A browser's push manager, its person and its worker; endpoints are made anew with each subscription. */
class Browser {
  permission: NotificationPermission = "default";
  answer: NotificationPermission = "granted";
  asked = 0;
  made = 0;
  isBroken = false;
  key: Uint8Array | null = null;

  pushManager = {
    getSubscription: async () => this.#subscription(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      if (this.isBroken) throw new DOMException("no push service", "AbortError");
      if (this.key !== null && Buffer.compare(this.key, applicationServerKey) !== 0)
        throw new DOMException("another key", "InvalidStateError");
      if (this.key === null) this.made += 1;
      this.key = applicationServerKey;
      return this.#subscription();
    },
  };
  requestPermission = async () => {
    this.asked += 1;
    return (this.permission = this.answer);
  };
  endpoint = () => `https://push.test/${this.made}`;

  #subscription() {
    const { key } = this;
    if (key === null) return null;
    return {
      endpoint: this.endpoint(),
      options: { applicationServerKey: Uint8Array.from(key).buffer },
      toJSON: () => ({ endpoint: this.endpoint(), expirationTime: null, keys: { p256dh: "p", auth: "a" } }),
      unsubscribe: async () => {
        this.key = null;
        return true;
      },
    };
  }
}

/** The service as the app's calls meet it. */
const service = {
  publicKey: KEY.toString("base64url") as string | null,
  isAway: false,
  asked: [] as { name: string; body: unknown }[],
};
vi.mock("../../../shared/http/http.ts", () => ({
  call: async (name: string, input?: { body: unknown }) => {
    if (name === "pushKey") return { publicKey: service.publicKey };
    service.asked.push({ name, body: input?.body });
    if (service.isAway) throw new CallError({ kind: "network", message: "the service is away" });
    return {};
  },
}));

vi.mock("../../../telegram/use-write-access.ts", () => ({
  useWriteAccess: () => ({ state: "open", isAsking: false, ask: () => undefined }),
}));

let browser: Browser;
let views: View[] = [];

// Loaded beforehand, so that what is not shown after a few turns isn't on its way.
beforeAll(() =>
  Promise.all([
    import("./notifications-card.tsx"),
    import("./bot-messages-card.tsx"),
    import("./notifications-offer.tsx"),
  ]),
);
beforeEach(() => {
  browser = new Browser();
  Object.assign(service, { publicKey: KEY.toString("base64url"), isAway: false, asked: [] });
  vi.stubGlobal("PushManager", Browser);
  vi.stubGlobal("Notification", browser);
  Object.defineProperty(navigator, "serviceWorker", {
    configurable: true,
    value: { ready: Promise.resolve({ pushManager: browser.pushManager }) },
  });
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(async () => {
  for (const view of views) await view.unmount();
  views = [];
  localStore.remove("wherry-notices");
  delete document.documentElement.dataset["shell"];
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function open(shown = order): Promise<View> {
  const view = await render(<NotificationsOffer order={shown} />);
  views.push(view);
  for (let turn = 0; turn < 20; turn += 1) await settled(() => new Promise((done) => setTimeout(done)));
  return view;
}
const button = ({ get }: View) => get<HTMLButtonElement>("button");
async function press(view: View): Promise<void> {
  await act(async () => button(view).click());
  await settled(() => new Promise((done) => setTimeout(done)));
}
const said = ({ get }: View) => get("[role=status]").textContent;

describe("notices of an order", () => {
  it("begin with a press, which alone asks the person", async () => {
    const view = await open();
    expect(button(view).textContent).toBe("Notify me");
    expect(browser.asked).toBe(0);

    await press(view);
    expect(browser.asked).toBe(1);
    expect(service.asked).toEqual([
      {
        name: "subscribePush",
        body: {
          orderId: order.orderId,
          destinationAddress: order.destinationAddress,
          endpoint: "https://push.test/1",
          keys: { p256dh: "p", auth: "a" },
          expirationTime: null,
          locale: "en",
        },
      },
    ]);
    expect(said(view)).toBe("Notifications are on");
    expect(button(view).textContent).toBe("Turn off");
  });

  it("are known to be on when the page comes again, and off for another order", async () => {
    await press(await open());

    expect(button(await open()).textContent).toBe("Turn off");
    expect(button(await open(other)).textContent).toBe("Notify me");
  });

  it.each([
    ["lets the permission go", () => void (browser.permission = "default")],
    ["lets the subscription go", () => void (browser.key = null)],
    ["has made it anew", () => void (browser.made += 1)],
  ])("are off once the browser %s", async (_, happens) => {
    await press(await open());
    happens();

    expect(button(await open()).textContent).toBe("Notify me");
  });

  it("end with one press, and with the last of them the browser's subscription", async () => {
    await press(await open());
    const view = await open(other);
    await press(view);
    await press(view);
    expect(browser.key).not.toBeNull();

    const first = await open();
    await press(first);
    expect(service.asked.slice(2)).toMatchObject([
      { name: "unsubscribePush", body: { orderId: other.orderId, endpoint: "https://push.test/1" } },
      { name: "unsubscribePush", body: { orderId: order.orderId, endpoint: "https://push.test/1" } },
    ]);
    expect(browser.key).toBeNull();
    expect(said(first)).toBe("Notifications are off");
    expect(localStorage).toHaveLength(0);
  });

  it("end without the service too: the browser alone can end them", async () => {
    const view = await open();
    await press(view);
    service.isAway = true;
    await press(view);

    expect(browser.key).toBeNull();
    expect(said(view)).toBe("Notifications are off");
  });

  it("go on, and say so, where only the service could end those of one order", async () => {
    await press(await open(other));
    const view = await open();
    await press(view);
    service.isAway = true;
    await press(view);

    expect(browser.key).not.toBeNull();
    expect(view.container.textContent).toContain("Notifications couldn’t be changed");
    expect(button(view).textContent).toBe("Turn off");
  });
});

describe("nothing begins, and the page says why, when", () => {
  it.each(["denied", "default"] as const)("the browser says %s", async (answer) => {
    browser.answer = answer;
    const view = await open();
    await press(view);

    expect(view.container.textContent).toContain("Your browser blocks notifications");
    expect(said(view)).toMatch(/^Your browser blocks/);
    expect(service.asked).toEqual([]);
    expect(button(view).textContent).toBe("Notify me");
  });

  it("the browser's push service is away", async () => {
    browser.isBroken = true;
    const view = await open();
    await press(view);

    expect(said(view)).toMatch(/^Notifications couldn’t be changed/);
    expect(service.asked).toEqual([]);
  });

  it("the service doesn't take it, and the browser keeps no subscription for it", async () => {
    service.isAway = true;
    const view = await open();
    await press(view);

    expect(said(view)).toMatch(/^Notifications couldn’t be changed/);
    expect(browser.key).toBeNull();
    expect(localStorage).toHaveLength(0);
  });
});

it("a subscription that was made with former keys is replaced", async () => {
  browser.permission = "granted";
  browser.key = Uint8Array.from([4, 1, 2, 3]);
  browser.made = 1;
  const view = await open();
  await press(view);

  expect(said(view)).toBe("Notifications are on");
  expect(browser.endpoint()).toBe("https://push.test/2");
});

describe("nothing is offered", () => {
  it("where the browser has no push", async () => {
    vi.unstubAllGlobals();
    expect((await open()).get(".w-root").innerHTML).toBe("");
  });

  it("of this device inside Telegram, where the bot writes", async () => {
    document.documentElement.dataset["shell"] = "telegram";
    const view = await open();
    expect(view.container.textContent).not.toContain("this device");
    expect(button(view).textContent).toBe("Allow messages");
  });

  it("where the service notifies nobody", async () => {
    service.publicKey = null;
    expect((await open()).get(".w-root").innerHTML).toBe("");
  });
});
