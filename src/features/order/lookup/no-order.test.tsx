import { SWRConfig } from "swr";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { Lookup } from "./no-order.tsx";

const ID = "A".repeat(22);
const NOT_FOUND = "We can’t find this order with this address";
const NEEDS_ADDRESS = "This order opens with its receiving address";
const unknown = () => Response.json({ status: "ERR_NOT_FOUND", message: "no", traceId: "t" }, { status: 404 });

const service = { answer: unknown };
let view: View;

beforeEach(() => {
  vi.stubGlobal("fetch", async () => service.answer());
});
afterEach(async () => {
  await view.unmount();
  vi.unstubAllGlobals();
});

const open = async (destinationAddress: string) => {
  view = await render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <Lookup orderId={ID} destinationAddress={destinationAddress} />
    </SWRConfig>,
  );
  await settled();
};
const heading = () => view.get("h1").textContent;

test("an order that is there and was asked for without an address is not called missing", async () => {
  service.answer = () => Response.json({ orderId: ID, state: "COMPLETED" });
  await open("");
  await vi.waitFor(() => expect(heading()).toBe(NEEDS_ADDRESS));
  expect(view.container.textContent).toContain("It is completed.");
  expect(view.container.textContent).not.toContain("404");
});

test("one that nobody knows is", async () => {
  service.answer = unknown;
  await open("");
  expect(heading()).toBe(NOT_FOUND);
  expect(view.container.textContent).toContain("Error 404");
});

test("one with a wrong address is, whether it is there or not", async () => {
  service.answer = () => Response.json({ orderId: ID, state: "COMPLETED" });
  await open("0x0000000000000000000000000000000000000001");
  expect(heading()).toBe(NOT_FOUND);
  expect(view.container.textContent).toContain("Error 404");
});
