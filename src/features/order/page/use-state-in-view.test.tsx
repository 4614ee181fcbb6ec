import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render, type View } from "../../../shared/testing/render.tsx";
import type { Screen } from "../model/view/screen.ts";
import { useStateInView } from "./use-state-in-view.ts";

function Page({ screen }: { readonly screen: Screen }) {
  useStateInView(screen, "an-order");
  return <input name="email" />;
}

let view: View;
const scrolled = vi.fn<typeof globalThis.scrollTo>();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.stubGlobal("scrollTo", scrolled);
  sessionStorage.clear();
});
afterEach(async () => {
  await view.unmount();
  scrolled.mockClear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a new state is brought into view, the first one is not", async () => {
  view = await render(<Page screen="send" />);
  expect(scrolled).not.toHaveBeenCalled();
  await view.rerender(<Page screen="processing" />);
  await view.rerender(<Page screen="processing" />);
  expect(scrolled).toHaveBeenCalledOnce();
});

test("somebody who reads further down keeps their position, until they have stopped", async () => {
  view = await render(<Page screen="send" />);
  globalThis.dispatchEvent(new Event("wheel"));
  vi.advanceTimersByTime(3_900);
  await view.rerender(<Page screen="processing" />);
  expect(scrolled).not.toHaveBeenCalled();
  vi.advanceTimersByTime(200);
  await view.rerender(<Page screen="completed" />);
  expect(scrolled).toHaveBeenCalledOnce();
});

test("somebody who has a field open keeps it", async () => {
  view = await render(<Page screen="send" />);
  view.container.querySelector("input")?.focus();
  await view.rerender(<Page screen="processing" />);
  expect(scrolled).not.toHaveBeenCalled();
});

test("somebody whose position went with the state before is taken to the new one", async () => {
  const place = document.body.appendChild(document.createElement("p"));
  vi.spyOn(document, "elementFromPoint").mockReturnValue(place);
  view = await render(<Page screen="send" />);
  globalThis.dispatchEvent(new Event("wheel"));
  place.remove();
  await view.rerender(<Page screen="completed" />);
  expect(scrolled).toHaveBeenCalledOnce();
});

test("a page that was reloaded into another state opens at its top, else where its reader was", async () => {
  view = await render(<Page screen="send" />);
  await view.unmount();
  view = await render(<Page screen="send" />);
  expect(scrolled).not.toHaveBeenCalled();
  await view.unmount();
  view = await render(<Page screen="completed" />);
  expect(scrolled).toHaveBeenCalledExactlyOnceWith({ top: 0, behavior: "instant" });
});
