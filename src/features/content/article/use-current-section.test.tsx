import { afterEach, expect, it, vi } from "vitest";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { useCurrentSection } from "./use-current-section.ts";

const tops: Record<string, number> = {};
const IDS = ["first", "second", "third"];

function Page() {
  const current = useCurrentSection(IDS);
  return (
    <>
      <output>{current}</output>
      {IDS.map((id) => (
        <h2 key={id} id={id} ref={(heading) => place(heading, id)}>
          {id}
        </h2>
      ))}
    </>
  );
}

const place = (heading: HTMLElement | null, id: string) => {
  if (heading !== null) heading.getBoundingClientRect = () => ({ top: tops[id] ?? 0 }) as DOMRect;
};

let view: View;
afterEach(async () => {
  await view.unmount();
  vi.unstubAllGlobals();
});

const scrollTo = (...places: readonly number[]) =>
  settled(() => {
    IDS.forEach((id, index) => (tops[id] = places[index] ?? 0));
    dispatchEvent(new Event("scroll"));
  });

it("follows a jump over sections that were never on the screen, to the end and back to the top", async () => {
  const frames = vi.fn((draw: () => void) => (draw(), 0));
  vi.stubGlobal("requestAnimationFrame", frames);
  IDS.forEach((id, index) => (tops[id] = 1_000 * (index + 1)));
  view = await render(<Page />);
  const marked = () => view.get("output").textContent;
  expect(marked()).toBe("");
  await scrollTo(-3_000, -2_000, -1_000);
  expect(marked()).toBe("third");
  await scrollTo(-900, 100, 1_100);
  expect(marked()).toBe("second");
  await scrollTo(1_000, 2_000, 3_000);
  expect(marked()).toBe("");
});
