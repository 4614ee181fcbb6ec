import { expect, test, vi } from "vitest";
import { createParent } from "./parent-messages.ts";

const ORIGIN = "https://shop.example";

function placeInFrame() {
  const postMessage = vi.fn<(message: unknown, origin: string) => void>();
  const top = { postMessage } as { postMessage: typeof postMessage; parent: never };
  Object.assign(top, { parent: top });
  return { place: { parent: top, postMessage: vi.fn<() => void>() }, postMessage };
}

test("each message goes to the parent's origin alone, and nothing of the order but its reference and status", () => {
  const { place, postMessage } = placeInFrame();
  const parent = createParent(ORIGIN, place);
  const order = { reference: "WH-1", status: "WAITING", orderId: "secret", destinationAddress: "0x" };
  parent.ready();
  parent.height(480.2);
  parent.order(order as never);
  parent.order({ ...order, status: "DONE" } as never);
  expect(postMessage.mock.calls).toEqual([
    [{ source: "wherry", type: "ready" }, ORIGIN],
    [{ source: "wherry", type: "height", height: 481 }, ORIGIN],
    [{ source: "wherry", type: "order-created", reference: "WH-1", status: "WAITING" }, ORIGIN],
    [{ source: "wherry", type: "order-updated", reference: "WH-1", status: "DONE" }, ORIGIN],
  ]);
});

test("nothing is reported twice", () => {
  const { place, postMessage } = placeInFrame();
  const parent = createParent(ORIGIN, place);
  for (let time = 0; time < 2; time += 1) {
    parent.height(480);
    parent.order({ reference: "WH-1", status: "WAITING" } as never);
  }
  expect(postMessage).toHaveBeenCalledTimes(2);
});

test("posts no message without an origin, or outside a frame", () => {
  const { place, postMessage } = placeInFrame();
  createParent(null, place).ready();
  createParent(ORIGIN, place.parent).ready();
  expect(postMessage).not.toHaveBeenCalled();
});
