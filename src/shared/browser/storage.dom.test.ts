import { afterEach, describe, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { localStore, persisted, readJson, sessionStore } from "./storage.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  localStorage.clear();
  sessionStorage.clear();
});

describe("storage that is allowed", () => {
  it("stores, returns and removes", () => {
    localStore.set("theme", "dark");
    expect(localStorage.getItem("theme")).toBe("dark");
    expect(localStore.get("theme")).toBe("dark");
    localStore.remove("theme");
    expect(localStore.get("theme")).toBeNull();
    expect(localStorage.getItem("theme")).toBeNull();
  });

  it("returns what another tab has written since", () => {
    localStore.set("theme", "dark");
    localStorage.setItem("theme", "light");
    expect(localStore.get("theme")).toBe("light");
  });

  it("does not return what another tab has removed since", () => {
    localStore.set("theme", "dark");
    localStorage.removeItem("theme");
    expect(localStore.get("theme")).toBeNull();
  });

  it("treats what is no JSON, or has another shape, as absent", () => {
    vi.spyOn(console, "debug").mockReturnValue();
    sessionStorage.setItem("draft", "7");
    expect(readJson(sessionStore, "draft", z.object({}))).toBeNull();
    sessionStorage.setItem("draft", "{");
    expect(readJson(sessionStore, "draft", z.object({}))).toBeNull();
  });
});

describe("storage that is denied", () => {
  const denied = (name: string) =>
    vi.stubGlobal(
      name,
      new Proxy(
        {},
        {
          get: () => () => {
            throw new DOMException("denied", "SecurityError");
          },
        },
      ),
    );

  it("never throws, and remembers as long as the page lives", () => {
    denied("localStorage");
    denied("sessionStorage");
    for (const store of [localStore, sessionStore]) {
      expect(store.get("nothing")).toBeNull();
      store.set("key", '{"a":1}');
      expect(readJson(store, "key", z.object({ a: z.number() }))).toEqual({ a: 1 });
      store.remove("key");
      expect(store.get("key")).toBeNull();
    }
  });

  it("remembers what did not fit any more", () => {
    vi.stubGlobal("localStorage", {
      getItem: () => "an older one",
      removeItem: () => undefined,
      setItem: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    });
    localStore.set("full", "kept");
    expect(localStore.get("full")).toBe("kept");
    localStore.remove("full");
  });
});

describe("a persisted value", () => {
  const counter = () =>
    persisted(
      "count",
      (saved) => Number(saved ?? 0) || 0,
      (count) => (count === 0 ? null : String(count)),
    );

  it("is saved when it changes, and removed when it is the default", () => {
    const count = counter();
    expect([count.value, localStorage.getItem("count")]).toEqual([0, null]);
    count.value = 2;
    expect(localStorage.getItem("count")).toBe("2");
    expect(counter().value).toBe(2);
    count.value = 0;
    expect(localStorage.getItem("count")).toBeNull();
  });

  it("follows other tabs", () => {
    const count = counter();
    localStorage.setItem("count", "7");
    dispatchEvent(new StorageEvent("storage", { key: "count" }));
    expect(count.value).toBe(7);
    localStorage.clear();
    dispatchEvent(new StorageEvent("storage", { key: null }));
    expect(count.value).toBe(0);
  });
});
