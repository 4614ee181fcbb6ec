import { afterEach, expect, test } from "vitest";
import { render, type View } from "../../../../shared/testing/render.tsx";
import { DeliveryRow } from "./delivery-row.tsx";

const DELIVERY = {
  id: "1",
  type: "test",
  orderId: null,
  state: "DEAD",
  attempts: 3,
  createdAt: "2026-11-21T12:00:00.000Z",
  lastAttemptAt: "2026-11-21T12:00:00.000Z",
  nextAttemptAt: null,
  deliveredAt: null,
} as const;

let view: View;
afterEach(() => view.unmount());

test.each([
  [500, "answered 500", /3 .*\. .*500\.$/],
  [null, "no answer in time", /3 .*\. [^.]+\.$/],
])("a delivery that was answered %s says so in the page's own words", async (lastStatus, lastError, said) => {
  const none = () => undefined;
  view = await render(
    <ul>
      <DeliveryRow webhookId="1" delivery={{ ...DELIVERY, lastStatus, lastError }} onSent={none} />
    </ul>,
  );
  expect(view.get("li p:last-of-type").textContent).toMatch(said);
});
