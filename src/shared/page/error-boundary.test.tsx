import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { render, settled, type View } from "../testing/render.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";

const fault = { isThere: true };
function Part() {
  if (fault.isThere) throw new Error("a fault");
  return <b>the part</b>;
}
const page = (resetKey: string) => (
  <>
    <i>around</i>
    <ErrorBoundary
      resetKey={resetKey}
      renderFallback={(error, retry) => <button onClick={retry}>{error instanceof Error ? error.message : ""}</button>}
    >
      <Part />
    </ErrorBoundary>
  </>
);

let view: View;
beforeEach(async () => {
  fault.isThere = true;
  vi.spyOn(console, "error").mockReturnValue();
  view = await render(page("one"));
});
afterEach(async () => {
  await view.unmount();
  vi.restoreAllMocks();
});

it("keeps what is around a part that throws, and renders the part anew when asked to", async () => {
  expect(view.container.textContent).toBe("arounda fault");
  await settled(() => view.get("button").click());
  expect(view.container.textContent).toBe("arounda fault");
  fault.isThere = false;
  await settled(() => view.get("button").click());
  expect(view.container.textContent).toBe("aroundthe part");
});

it("renders the part anew when it is another one", async () => {
  fault.isThere = false;
  await view.rerender(page("one"));
  expect(view.container.textContent).toBe("arounda fault");
  await view.rerender(page("two"));
  expect(view.container.textContent).toBe("aroundthe part");
});
