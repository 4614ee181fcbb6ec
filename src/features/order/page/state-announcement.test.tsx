import { afterEach, expect, test } from "vitest";
import { type Haptic, provideHaptics } from "../../../shared/browser/haptics.ts";
import { render, type View } from "../../../shared/testing/render.tsx";
import { orderView } from "../model/view/order-view.ts";
import { ms, sampleOrder } from "../testing/sample-order.ts";
import type { Screen } from "../model/view/screen.ts";
import { StateAnnouncement } from "./state-announcement.tsx";

const order = sampleOrder(["CREATION_END"]);
const announcement = (screen: Screen) => (
  <StateAnnouncement order={order} view={{ ...orderView(order, ms(1)), screen }} />
);

let view: View;
afterEach(() => view.unmount());

test.each<[first: Screen, later: Screen[], played: Haptic[]]>([
  ["completed", [], []],
  ["send", ["processing", "completed"], ["completed"]],
  ["preparing", ["send", "rate_ended", "expired"], ["warning", "failed"]],
  ["processing", ["choice", "choice", "refund", "refunded"], ["warning", "completed"]],
])("an order that is on %j and comes to %j plays %j", async (first, later, expected) => {
  const played: Haptic[] = [];
  provideHaptics((haptic) => void played.push(haptic));
  view = await render(announcement(first));
  for (const screen of later) await view.rerender(announcement(screen));
  expect(played).toEqual(expected);
});

test("an order that is put in review warns once", async () => {
  const played: Haptic[] = [];
  provideHaptics((haptic) => void played.push(haptic));
  const review = { reason: "PAYMENT_CHECK", needed: "OPERATOR", until: null } as const;
  const shown = (held: boolean) => {
    const now = held ? { ...order, review } : order;
    return <StateAnnouncement order={now} view={{ ...orderView(now, ms(1)), screen: "processing" }} />;
  };
  view = await render(shown(false));
  await view.rerender(shown(true));
  await view.rerender(shown(true));
  expect(played).toEqual(["warning"]);
});
