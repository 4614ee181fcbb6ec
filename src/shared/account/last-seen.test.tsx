import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SWRConfig } from "swr";
import * as z from "zod/mini";
import { CallError } from "../http/call-error.ts";
import { render, settled, type View } from "../testing/render.tsx";
import { LAST_SEEN_KEY, resetAccount } from "./account-store.ts";
import { useSeen } from "./last-seen.ts";

const schema = z.object({ sum: z.string() });
const service = { answer: null as unknown, asked: 0 };
let view: View;

const load = async () => {
  service.asked += 1;
  if (service.answer === null) throw new CallError({ kind: "network", message: "gone" });
  return service.answer as { sum: string };
};

function Sum({ userId, name = "sum" }: { readonly userId: number; readonly name?: string }) {
  const { data, seenAt, hasFailed } = useSeen(userId, name, schema, load);
  return <p>{hasFailed ? "failed" : `${data?.sum ?? "loading"} ${seenAt ?? "new"}`}</p>;
}

const visit = async (userId: number, name?: string): Promise<string> => {
  view = await render(
    <SWRConfig value={{ provider: () => new Map(), errorRetryCount: 0 }}>
      <Sum userId={userId} {...(name !== undefined && { name })} />
    </SWRConfig>,
  );
  await settled();
  return view.container.textContent;
};
const seen = async (...args: Parameters<typeof visit>): Promise<string> => {
  const text = await visit(...args);
  await view.unmount();
  return text;
};

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 21, 12), toFake: ["Date"] });
  Object.assign(service, { answer: { sum: "1.5" }, asked: 0 });
});
afterEach(() => void vi.useRealTimers());

describe("what was seen last of the account", () => {
  test("is displayed with its time where the service isn't reached", async () => {
    expect(await seen(7)).toBe("1.5 new");
    service.answer = null;
    expect(await seen(7)).toBe("1.5 2026-11-21T12:00:00.000Z");
    service.answer = { sum: "2" };
    expect(await seen(7)).toBe("2 new");
  });

  test("is nothing where it was never seen", async () => {
    service.answer = null;
    expect(await seen(7)).toBe("failed");
  });

  test("is nobody else's: neither the next person's, nor there after the logout", async () => {
    await seen(7);
    service.answer = null;
    expect(await seen(8)).toBe("failed");
    expect(await seen(7)).toBe("1.5 2026-11-21T12:00:00.000Z");
    service.answer = { sum: "3" };
    await seen(8);
    service.answer = null;
    expect(await seen(7)).toBe("failed");
    resetAccount();
    expect(await seen(8)).toBe("failed");
    expect(localStorage.length).toBe(0);
  });

  test("is distinguished by its query, and is bounded", async () => {
    for (let page = 0; page < 40; page++) await seen(7, `page ${page}`);
    service.answer = null;
    expect(await seen(7, "page 39")).toContain("1.5 2026");
    expect(await seen(7, "page 0")).toBe("failed");
  });

  test("is nothing where something else stands there", async () => {
    localStorage.setItem(
      LAST_SEEN_KEY,
      '{"userId":7,"answers":[{"name":"sum","at":"2026-11-21T12:00:00.000Z","answer":5}]}',
    );
    service.answer = null;
    expect(await seen(7)).toBe("failed");
  });
});
