import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { I18nextProvider } from "react-i18next";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { allMessages } from "../../../shared/i18n/all-messages.ts";
import { createI18n } from "../../../shared/i18n/create-i18n.ts";
import { PageContext } from "../../../shared/page/page-context.ts";
import { AppRoot } from "../../../shared/ui/index.ts";
import { stopRefundPath } from "#contract/links/order-path.ts";
import { at } from "../testing/sample-order.ts";
import { StopRefundPage } from "./stop-refund-page.tsx";

const ORDER = "7KQ4M2XD7KQ4M2XD7KQ4M2XD";
const TOKEN = "9mW2rCk4s0dZpVb7xQe1tYh6uJf3aLg8nRi5oKcE2vU";

let root: Root;
let box: HTMLElement;
let asked: { path: string; body: unknown }[];
let answer: { status: number; body: unknown } | null;

async function service(request: Request): Promise<Response> {
  asked.push({ path: new URL(request.url).pathname, body: await request.json() });
  if (answer === null) throw new TypeError("Failed to fetch");
  return Response.json(answer.body, { status: answer.status });
}

async function open(hash: string): Promise<void> {
  location.hash = hash;
  const i18n = createI18n("en", allMessages("en"));
  await act(async () =>
    root.render(
      <I18nextProvider i18n={i18n}>
        <PageContext value={{ data: null, now: at(0), isSandbox: false }}>
          <AppRoot>
            <StopRefundPage />
          </AppRoot>
        </PageContext>
      </I18nextProvider>,
    ),
  );
}

async function press(): Promise<void> {
  const button = [...box.querySelectorAll("button")].find(({ textContent }) => textContent === "Stop the refund");
  await act(async () => button?.click());
  await act(async () => vi.waitFor(() => expect(asked.length).toBeGreaterThan(0)));
}

const linkHash = (): string => stopRefundPath({ orderId: ORDER, token: TOKEN }).split("#")[1] ?? "";

beforeEach(async () => {
  await import("../../../shared/http/http-client.ts");
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.stubGlobal("fetch", vi.fn(service));
  asked = [];
  answer = { status: 200, body: { orderId: ORDER, reference: "7KQ4-M2XD", isStopped: true } };
  box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
});
afterEach(async () => {
  await act(async () => root.unmount());
  box.remove();
  vi.unstubAllGlobals();
});

it("takes another link that is opened in the same tab", async () => {
  await open("");
  expect(box.textContent).not.toContain("Stop the refund");
  await act(async () => {
    location.hash = linkHash();
    await new Promise((resolve) => addEventListener("hashchange", resolve, { once: true }));
  });
  await press();
  expect(asked).toMatchObject([{ body: { orderId: ORDER, token: TOKEN } }]);
});

it("stops the refund of the link on a press, and not before", async () => {
  await open(`${linkHash()}&tgWebAppData=query_id%3D1`);
  expect(asked).toEqual([]);
  await press();
  expect(asked).toEqual([{ path: "/api/v1/orders/public/stop-refund", body: { orderId: ORDER, token: TOKEN } }]);
  await vi.waitFor(() => expect(box.textContent).toContain("The refund of order 7KQ4-M2XD is stopped"));
});

it.each([
  [
    "it is too late",
    { status: 422, body: { status: "ERR_UNPROCESSABLE_ENTITY", message: "sent", traceId: "t" } },
    "can’t be stopped any more",
  ],
  [
    "the token is wrong",
    { status: 404, body: { status: "ERR_NOT_FOUND_E", message: "no", traceId: "t" } },
    "This link doesn’t stop any refund",
  ],
  ["the service can't be reached", null, "The refund is not stopped yet"],
])("says so where %s", async (_, given, said) => {
  answer = given;
  await open(linkHash());
  await press();
  await vi.waitFor(() => expect(box.textContent).toContain(said));
  // Only what may still work is offered again.
  expect(box.textContent.includes("Stop the refund")).toBe(given === null);
});

it.each(["", "orderId=7KQ4M2XD7KQ4M2XD7KQ4M2XD", "token=abc"])("asks for the whole link at #%s", async (hash) => {
  await open(hash);
  expect(box.textContent).toContain("This link doesn’t stop any refund");
  expect(asked).toEqual([]);
});
