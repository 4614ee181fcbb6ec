import { afterEach, describe, expect, it } from "vitest";
import { utmDataSchema } from "#contract/utm-data.ts";
import { localStore, sessionStore } from "../browser/storage.ts";
import { startAnalytics, track } from "./track.ts";
import { readUtmRecord } from "./utm-record.ts";
import { utmRecord } from "./utm.ts";
import { recordPageView, sessionId } from "./utm.ts";

const visitor = {
  url: "https://wherry.example/ru?utm_source=list&utm_campaign=c1&gclid=g1&amount=5&utm_other=x",
  referrer: "https://list.example/page?user=ann@mail.example",
  userAgent: "UA",
  language: "ru",
  screenSize: "390x844",
  sessionId: "s",
  now: 5,
};

describe("the UTM record (spec §3)", () => {
  it("records where a visit came from", () => {
    const record = utmRecord(visitor);
    localStore.set("wherry-utm", JSON.stringify(record));
    expect(readUtmRecord()).toEqual({
      timestamp: 5,
      utmParams: { source: "list", campaign: "c1" },
      additionalInfo: {
        referrer: "https://list.example",
        userAgent: "UA",
        language: "ru",
        landingUrl: "https://wherry.example/ru?utm_source=list&utm_campaign=c1&gclid=g1",
        screenSize: "390x844",
      },
      sessionId: "s",
      gclid: "g1",
    });
  });

  it.each([600, 60_000])("is never larger than an order may keep (%i characters)", (length) => {
    const long = "é\u0001".repeat(length / 2);
    const names = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "gclid", "gad_source"];
    const query = new URLSearchParams(names.map((name) => [name, long]));
    const record = utmRecord({ ...visitor, url: `https://wherry.example/?${query}`, userAgent: long, language: long });
    expect(utmDataSchema.safeParse(record).success).toBe(true);
    expect(record.utmParams.source?.length).toBeGreaterThanOrEqual(16);
  });

  it("is dropped where an earlier version stored a larger one", () => {
    const large = {
      ...utmRecord(visitor),
      gclid: "é".repeat(500),
      gad_source: "é".repeat(500),
      sessionId: "é".repeat(500),
    };
    localStore.set("wherry-utm", JSON.stringify(large));
    expect(readUtmRecord()).toBeNull();
  });

  it.each(["/order/SECRETID?destinationAddress=0xSECRET&ref=r", "/ru/order/SECRETID?email=SECRET#SECRET"])(
    "contains nothing that opens an order or names a person: %s",
    (path) => {
      const url = `https://wherry.example${path}`;
      expect(JSON.stringify(utmRecord({ ...visitor, url, referrer: url }))).not.toContain("SECRET");
    },
  );
});

describe("a visit", () => {
  afterEach(() => {
    localStore.remove("wherry-utm");
    sessionStore.remove("wherry-session");
    history.replaceState(null, "", "/");
  });

  it("keeps the first one in a cookie, and the newest campaign in the storage", () => {
    history.replaceState(null, "", "/?utm_source=one");
    recordPageView(1);
    history.replaceState(null, "", "/");
    recordPageView(2);
    expect(readUtmRecord()).toMatchObject({ timestamp: 1, utmParams: { source: "one" }, sessionId: sessionId() });
    history.replaceState(null, "", "/?utm_source=two");
    recordPageView(3);
    expect(readUtmRecord()).toMatchObject({ timestamp: 3, utmParams: { source: "two" } });
    const cookies = decodeURIComponent(document.cookie);
    expect(cookies).toContain('"source":"one"');
    expect(cookies).not.toContain("two");
  });

  it("is nothing where the storage has something else", () => {
    localStore.set("wherry-utm", '{"timestamp":"x"}');
    expect(readUtmRecord()).toBeNull();
    recordPageView(4);
    expect(readUtmRecord()).toMatchObject({ timestamp: 4 });
  });
});

describe("analytics", () => {
  const layer = () => (globalThis as { dataLayer?: object[] }).dataLayer;
  afterEach(() => void delete (globalThis as { dataLayer?: object[] }).dataLayer);
  const step = { event: "exchange initiated", from: "eth", to: "btc", rateMode: "FIXED" } as const;

  it("are off until they are switched on, and again after", () => {
    track(step);
    expect(layer()).toBeUndefined();
    const stop = startAnalytics("s1", () => "guest");
    track(step);
    expect(layer()).toEqual([{ ...step, userType: "guest", sessionId: "s1" }]);
    stop();
    track(step);
    expect(layer()).toHaveLength(1);
  });
});
