import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { render, type View } from "../shared/testing/render.tsx";
import { useShare } from "./use-share.ts";

const PAGE = { title: "ETH to BTC", url: "https://wherry.example/exchange-eth-btc", path: "/exchange-eth-btc" };

let view: View | null = null;
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await view?.unmount();
});

function Part() {
  const { message, share } = useShare({ copied: "Copied", notCopied: "Not copied" });
  return <button onClick={() => void share(PAGE)}>{message}</button>;
}
const text = () => view?.container.textContent;
const press = () => act(async () => view?.container.querySelector("button")?.click());
const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));

it("says for two seconds that the link was copied, and anew with each press", async () => {
  vi.stubGlobal("navigator", { clipboard: { writeText: async () => undefined } });
  view = await render(<Part />);
  expect(text()).toBe("");
  await press();
  expect(text()).toBe("Copied");
  await pass(1_500);
  await press();
  await pass(1_500);
  expect(text()).toBe("Copied");
  await pass(500);
  expect(text()).toBe("");
});

it("says nothing where the device's sheet took the link", async () => {
  vi.stubGlobal("navigator", { share: async () => undefined });
  view = await render(<Part />);
  await press();
  expect(text()).toBe("");
});

it("says that the link could not be copied", async () => {
  vi.stubGlobal("navigator", { clipboard: { writeText: () => Promise.reject(new Error("denied")) } });
  Object.assign(document, { execCommand: () => false });
  view = await render(<Part />);
  await press();
  expect(text()).toBe("Not copied");
  Reflect.deleteProperty(document, "execCommand");
});
