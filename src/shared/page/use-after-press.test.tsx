import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { render, type View } from "../testing/render.tsx";
import { useAfterPress } from "./use-after-press.ts";

let view: View | null = null;
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(async () => {
  vi.useRealTimers();
  await view?.unmount();
});

const Part = ({ isWanted }: { readonly isWanted: boolean }) => (useAfterPress(isWanted) ? "tall" : "low");
const text = () => view?.container.textContent;
const pass = (ms: number) => act(async () => void vi.advanceTimersByTime(ms));

it("grows only after the press that is under way has become a click", async () => {
  view = await render(<Part isWanted={false} />);
  await view.rerender(<Part isWanted={true} />);
  await pass(200);
  expect(text()).toBe("low");
  await act(async () => void dispatchEvent(new Event("pointerup")));
  await pass(50);
  expect(text()).toBe("low");
  await act(async () => void dispatchEvent(new Event("click")));
  await pass(0);
  expect(text()).toBe("tall");
});

it("grows soon without a press, and shrinks at once", async () => {
  view = await render(<Part isWanted={false} />);
  await view.rerender(<Part isWanted={true} />);
  await pass(300);
  expect(text()).toBe("tall");
  await view.rerender(<Part isWanted={false} />);
  expect(text()).toBe("low");
});
