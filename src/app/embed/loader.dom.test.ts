import { beforeAll, beforeEach, expect, test, vi } from "vitest";

const WHERRY = "https://wherry.example";

let host: HTMLElement;
let heard: [type: string, detail: unknown][];

beforeAll(async () => {
  const script = document.createElement("script");
  // Set apart from the document: nothing is fetched.
  script.setAttribute("src", `${WHERRY}/embed.js`);
  Object.defineProperty(document, "currentScript", { value: script, configurable: true });
  // The test's browser loads no frames, and gives them no windows.
  const windows = new WeakMap<HTMLIFrameElement, object>();
  Object.defineProperty(HTMLIFrameElement.prototype, "contentWindow", {
    get(this: HTMLIFrameElement) {
      const known = windows.get(this) ?? {};
      windows.set(this, known);
      return known;
    },
  });
  document.documentElement.lang = "ru-RU";
  // A plain script, which is no module to import.
  await vi.importActual("./loader.ts");
});

beforeEach(() => {
  document.body.replaceChildren();
  host = document.createElement("wherry-widget");
  host.setAttribute("from", "btc");
  host.setAttribute("data-ref", "AB12");
  host.setAttribute("compact", "");
  document.body.append(host);
  heard = [];
  for (const type of ["ready", "order-created", "order-updated"])
    host.addEventListener(`wherry:${type}`, (event) => heard.push([type, (event as CustomEvent).detail]));
});

const frameOf = (element: HTMLElement): HTMLIFrameElement => {
  const frame = element.querySelector("iframe");
  if (frame === null) throw new Error("no frame was made");
  return frame;
};

type From = { readonly origin?: string; readonly source?: unknown };

const say = (data: unknown, { origin = WHERRY, source = frameOf(host).contentWindow }: From = {}) =>
  dispatchEvent(Object.defineProperty(new MessageEvent("message", { data, origin }), "source", { value: source }));

test("the frame has the element's settings, the page's language, and the page as the one that gets its messages", () => {
  const { origin, pathname, searchParams } = new URL(frameOf(host).src);
  expect(origin + pathname).toBe(`${WHERRY}/embed`);
  expect(Object.fromEntries(searchParams)).toEqual({
    from: "btc",
    ref: "AB12",
    compact: "true",
    lang: "ru",
    parentOrigin: location.origin,
  });
});

test("a changed attribute changes the frame, and no second one is made", async () => {
  host.setAttribute("from", "eth");
  await Promise.resolve();
  expect(new URL(frameOf(host).src).searchParams.get("from")).toBe("eth");
  expect(host.querySelectorAll("iframe")).toHaveLength(1);
});

test("the frame's own messages set its height and become events", () => {
  say({ source: "wherry", type: "ready" });
  say({ source: "wherry", type: "height", height: 612 });
  say({ source: "wherry", type: "order-created", reference: "WH-1", status: "CREATED" });
  expect(frameOf(host).style.height).toBe("612px");
  expect(heard).toEqual([
    ["ready", {}],
    ["order-created", { reference: "WH-1", status: "CREATED" }],
  ]);
});

test.each<[what: string, data: unknown, from: From]>([
  ["another origin", { source: "wherry", type: "ready" }, { origin: "https://evil.example" }],
  ["another window of ours", { source: "wherry", type: "ready" }, { source: window }],
  ["no window", { source: "wherry", type: "ready" }, { source: null }],
  ["something else", { source: "other", type: "ready" }, {}],
  ["a text", "ready", {}],
  ["nothing", null, {}],
])("what %s says is not heard", (_what, data, from) => {
  say(data, from);
  say(typeof data === "object" && data !== null ? { ...data, type: "height", height: 9 } : data, from);
  expect(heard).toEqual([]);
  expect(frameOf(host).style.height).toBe("480px");
});

test.each([[-1], [0], [Number.NaN], ["700"], [null]])("%s is no height", (height) => {
  say({ source: "wherry", type: "height", height });
  expect(frameOf(host).style.height).toBe("480px");
});

test("a height has a bound", () => {
  say({ source: "wherry", type: "height", height: 1e9 });
  expect(frameOf(host).style.height).toBe("6000px");
});

test("each of two widgets hears its own", () => {
  const other = document.createElement("wherry-widget");
  document.body.append(other);
  say({ source: "wherry", type: "height", height: 700 }, { source: frameOf(other).contentWindow });
  expect(frameOf(other).style.height).toBe("700px");
  expect(frameOf(host).style.height).toBe("480px");
});

test("the embed code pasted twice reports each event once", async () => {
  const block = document.createElement("div");
  block.setAttribute("data-wherry", "");
  document.body.append(block);
  const told = vi.fn<() => void>();
  block.addEventListener("wherry:ready", told);
  for (let copies = 0; copies < 2; copies += 1) {
    vi.resetModules();
    await vi.importActual("./loader.ts");
  }
  expect(block.querySelectorAll("iframe")).toHaveLength(1);
  say({ source: "wherry", type: "ready" }, { source: frameOf(block).contentWindow });
  expect(told).toHaveBeenCalledOnce();
});
