import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

const ADDRESS = "0x52908400098527886E0F7030069857D2E4169EE7";
const ORDER = "A".repeat(24);
const kept = { order: { orderId: ORDER, reference: "7KQ4-M2XD" }, destinationAddress: ADDRESS, seenAt: "today" };
const notice = {
  title: "Заявка 7KQ4-M2XD",
  body: "Депозит замечен.",
  lang: "ru",
  tag: "a-tag",
  reference: "7KQ4-M2XD",
};
const link = `/ru/order/${ORDER}?destinationAddress=${ADDRESS}`;

/** What the device has kept; null: it refuses to tell. */
let device: unknown = null;
vi.mock("idb-keyval", () => ({
  get: async (key: string) => {
    if (device === null) throw new DOMException("denied", "SecurityError");
    return key === "wherry-orders" ? device : undefined;
  },
}));

const focused: string[] = [];
const opened: string[] = [];
const shown: { title: string; options: NotificationOptions }[] = [];
let pages: string[] = [];

const scope = {
  registration: {
    showNotification: async (title: string, options: NotificationOptions) => shown.push({ title, options }),
  },
  clients: {
    matchAll: async () => pages.map((url) => ({ url, focus: async () => focused.push(url) })),
    openWindow: async (url: string) => opened.push(url),
  },
};

beforeAll(async () => {
  Object.assign(globalThis, scope);
  await import("./push.ts");
});
beforeEach(() => {
  device = [{ broken: true }, { ...kept, order: { orderId: "B".repeat(24), reference: "OTHR-ONE1" } }, kept];
  pages = [];
  for (const list of [focused, opened, shown]) list.length = 0;
  vi.spyOn(console, "warn").mockImplementation(() => undefined);
});
afterEach(() => vi.restoreAllMocks());

/** The worker hears of something and is waited for. */
async function happen(name: string, what: object): Promise<void> {
  const awaited: Promise<unknown>[] = [];
  const event = Object.assign(new Event(name), { waitUntil: (work: Promise<unknown>) => awaited.push(work), ...what });
  globalThis.dispatchEvent(event);
  expect(awaited).toHaveLength(1);
  await Promise.all(awaited);
}
const push = (data: unknown) => happen("push", { data: data === null ? null : { json: () => data } });
const click = async (data: unknown) => {
  const close = vi.fn<() => void>();
  await happen("notificationclick", { notification: { data, close } });
  expect(close).toHaveBeenCalledOnce();
};

describe("a push", () => {
  it("is shown in its own words, in place of what was shown of the same order", async () => {
    await push(notice);

    expect(shown).toMatchObject([
      {
        title: notice.title,
        options: { body: notice.body, lang: "ru", tag: "a-tag", data: { lang: "ru", reference: notice.reference } },
      },
    ]);
  });

  it.each([
    ["nothing", null],
    ["something else", { title: 5 }],
    ["a text", "hello"],
  ])("with %s in it is shown without text", async (_, data) => {
    await push(data);

    expect(shown.map(({ title, options }) => [title, options.body])).toEqual([["Wherry", undefined]]);
  });
});

describe("a press on a notice", () => {
  it("opens the order that this device has saved, in the notice's language", async () => {
    pages = ["https://wherry.test/ru/exchange-eth-btc"];
    await click({ lang: "ru", reference: notice.reference });

    expect(opened).toEqual([link]);
    expect(focused).toEqual([]);
  });

  it("comes back to the page that shows it already", async () => {
    const page = `https://wherry.test/order/${ORDER}?destinationAddress=${ADDRESS}`;
    pages = ["https://wherry.test/", page];
    await click({ lang: "ru", reference: notice.reference });

    expect(focused).toEqual([page]);
    expect(opened).toEqual([]);
  });

  it.each([
    ["has forgotten it", [], "/ru/orders"],
    ["holds something else", { orders: 1 }, "/ru/orders"],
    ["refuses to tell", null, "/ru/orders"],
  ])("shows the list of saved orders where the device %s", async (_, now, path) => {
    device = now;
    await click({ lang: "ru", reference: notice.reference });

    expect(opened).toEqual([path]);
  });

  it("opens the page that stops the refund it is about, and no order that this device has not saved", async () => {
    pages = [`https://wherry.test/order/${ORDER}?destinationAddress=${ADDRESS}`];
    await push({ ...notice, stopToken: "a-token" });
    await click(shown.at(-1)?.options.data);
    expect(opened).toEqual([`/ru/stop-refund#orderId=${ORDER}&token=a-token`]);
    expect(focused).toEqual([]);

    device = [];
    await click({ lang: "ru", reference: notice.reference, stopToken: "a-token" });
    expect(opened.at(-1)).toBe("/ru/orders");
  });

  it("about an account opens the page that it names, and no other site's", async () => {
    await push({ ...notice, reference: "", path: "/ru/profile/wallet" });
    await click(shown.at(-1)?.options.data);
    expect(opened).toEqual(["/ru/profile/wallet"]);

    await push({ ...notice, reference: "", path: "//evil.example/profile/" });
    expect(shown.at(-1)).toMatchObject({ title: "Wherry" });
  });

  it("that says nothing shows that list too", async () => {
    await click(null);

    expect(opened).toEqual(["/orders"]);
  });
});
