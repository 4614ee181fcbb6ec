import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

const storage = vi.hoisted(() => ({ isDenied: false }));
vi.mock("../load-client.ts", () => ({ isStorageDenied: () => storage.isDenied }));
vi.mock("../../shared/browser/storage.ts", () => {
  const kept = new Map<string, string>();
  return {
    sessionStore: {
      get: (key: string) => (storage.isDenied ? null : (kept.get(key) ?? null)),
      set: (key: string, value: string) => void kept.set(key, value),
      remove: (key: string) => void kept.delete(key),
    },
  };
});
const { isFollowed, keepFollowed, keepLaunchHash } = await import("./launch-hash.ts");
const { sessionStore } = await import("../../shared/browser/storage.ts");

const HASH = "#tgWebAppData=x&tgWebAppVersion=8.0";

beforeEach(() => history.replaceState(null, "", `/orders${HASH}`));
afterEach(() => {
  storage.isDenied = false;
  sessionStore.remove("start-parameter");
});

describe.each([
  ["allowed", false],
  ["denied", true],
])("a launch's deeplink, where storage is %s", (_, isDenied) => {
  test("is followed once", () => {
    storage.isDenied = isDenied;
    expect(isFollowed("ex___eth-btc")).toBe(false);
    const hash = keepFollowed("ex___eth-btc");
    expect(hash.startsWith(HASH)).toBe(true);

    // Another load, to which the hash is handed.
    history.replaceState(null, "", `/exchange-eth-btc${hash}`);
    expect(isFollowed("ex___eth-btc")).toBe(true);
  });

  test("of another launch is followed anew", () => {
    storage.isDenied = isDenied;
    keepFollowed("ex___eth-btc");
    history.replaceState(null, "", `/${HASH}`);
    expect(isFollowed("ex___eth-ltc")).toBe(false);
  });
});

test("the launch data stays in the address through moves where storage is denied", () => {
  const move = (path: string) => {
    history.pushState({ depth: 1 }, "", path);
    dispatchEvent(new Event("pushState"));
  };
  keepLaunchHash();
  move("/");
  expect(location.hash).toBe("");

  storage.isDenied = true;
  history.replaceState(null, "", `/orders${HASH}`);
  keepLaunchHash();
  move("/exchange-eth-btc?step=destination");
  expect(location.pathname + location.search + location.hash).toBe(`/exchange-eth-btc?step=destination${HASH}`);
  expect(history.state).toEqual({ depth: 1 });
});
