import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { pollContact } from "./contact.ts";

const CONTACT = "contact=%7B%22user_id%22%3A7%7D&auth_date=1800000000&hash=00";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Telegram that has the contact from a moment on; before it says so, or nothing. */
function telegram(hasItAt: number, isSilent = false) {
  const askedAt: number[] = [];
  const ask = async (limitMs: number): Promise<string | null> => {
    askedAt.push(Date.now());
    if (Date.now() >= hasItAt) return CONTACT;
    if (isSilent) await new Promise((end) => setTimeout(end, limitMs));
    return null;
  };
  return { ask, askedAt };
}

async function polled(ask: (limitMs: number) => Promise<string | null>): Promise<string | null> {
  const contact = pollContact(ask);
  await vi.advanceTimersByTimeAsync(10_000);
  return contact;
}

describe("the contact (spec §9)", () => {
  test("is there at once", async () => {
    const { ask, askedAt } = telegram(0);
    expect(await polled(ask)).toBe(CONTACT);
    expect(askedAt).toEqual([0]);
  });

  test("is asked for in steps that grow by 50 ms", async () => {
    const { ask, askedAt } = telegram(1_000);
    expect(await polled(ask)).toBe(CONTACT);
    expect(askedAt).toEqual([0, 50, 150, 300, 500, 750, 1_050]);
  });

  test("is abandoned after 5 s", async () => {
    const { ask, askedAt } = telegram(Number.POSITIVE_INFINITY);
    expect(await polled(ask)).toBeNull();
    expect(askedAt.at(-1)).toBe(4_550);
    expect(askedAt).toHaveLength(14);
  });

  test("is abandoned after 5 s in which Telegram says nothing", async () => {
    const { ask, askedAt } = telegram(Number.POSITIVE_INFINITY, true);
    const contact = pollContact(ask);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await contact).toBeNull();
    expect(askedAt).toEqual([0]);
  });
});
