import { act } from "react";
import { createRoot } from "react-dom/client";
import { vi } from "vitest";
import type { Order } from "#contract/order.ts";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import type { Locale } from "#contract/locale.ts";
import { prefetchParts } from "../page/order-parts.ts";
import { OrderPageAt } from "./order-page-at.tsx";
import { ms } from "./sample-order.ts";

/** The service behind the page: `order` is what it knows now, `answers` what its next calls that change something give. */
type FakeService = {
  order: Order;
  refund: { refundAmountWithoutNetworkFee: string; networkFee: string };
  answers: { status: number; body: unknown }[];
  /** Paths that were asked for. */
  asked: string[];
  /** Idempotency keys of the calls that change something. */
  keys: (string | null)[];
};

const REFUND = { refundAmountWithoutNetworkFee: "0.4999", networkFee: "0.0001" };

async function answer(service: FakeService, request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  service.asked.push(pathname.split("/").at(-1) ?? "");
  if (pathname.endsWith("/public-info")) return Response.json(service.order);
  if (pathname.endsWith("/order-refund-info")) return Response.json(service.refund);
  service.keys.push(request.headers.get("idempotency-key"));
  const next = service.answers.shift();
  if (next === undefined) throw new TypeError("Failed to fetch");
  return Response.json(next.body, { status: next.status });
}

const plain = (text: string): string => text.replaceAll(/[\u00A0\u202F]/g, " ");

export type OrderScreen = {
  readonly box: HTMLElement;
  readonly service: FakeService;
  readonly text: () => string;
  readonly pass: (seconds: number) => Promise<void>;
  /** Presses the button or link of this name. */
  readonly press: (name: string) => Promise<void>;
  /** What is announced to screen readers, after the pause between two messages. */
  readonly announced: () => Promise<string>;
  readonly close: () => Promise<void>;
};

/** Opens an order's page at `seconds` of the sample's time, with fake timers and a fake service. */
export async function openOrder(order: Order, seconds = 60, locale: Locale = "en"): Promise<OrderScreen> {
  const i18n = createI18n(locale, allMessages(locale));
  await Promise.all([
    import("../../../shared/http/http-client.ts"),
    import("../store.ts"),
    import("../refund/refund-dialog.tsx"),
  ]);
  prefetchParts(i18n);
  await vi.dynamicImportSettled();
  vi.useFakeTimers({ now: ms(seconds) });
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const service: FakeService = { order, refund: REFUND, answers: [], asked: [], keys: [] };
  vi.stubGlobal("fetch", (request: Request) => answer(service, request));
  const box = document.body.appendChild(document.createElement("div"));
  const root = createRoot(box);
  await act(async () => root.render(<OrderPageAt i18n={i18n} order={order} seconds={seconds} />));
  const pass = (passed: number) => act(async () => void (await vi.advanceTimersByTimeAsync(passed * 1000)));
  const text = (): string => plain(box.textContent);
  await pass(0.1);
  return {
    box,
    service,
    text,
    pass,
    press: async (name) => {
      const found = [...box.querySelectorAll<HTMLElement>("button, a")].find(
        (element) => plain(element.textContent).trim() === name,
      );
      if (found === undefined) throw new Error(`no ${name} in ${text()}`);
      await act(async () => found.click());
      await pass(0.1);
    },
    announced: async () => {
      await pass(3.1);
      return plain([...box.querySelectorAll("[role=status]")].map(({ textContent }) => textContent).join(" "));
    },
    close: async () => {
      await act(async () => root.unmount());
      box.remove();
      vi.useRealTimers();
      vi.unstubAllGlobals();
    },
  };
}
