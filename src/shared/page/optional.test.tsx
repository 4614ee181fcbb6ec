import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { render, settled, type View } from "../testing/render.tsx";
import { optional } from "./optional.tsx";

const code = { isGone: true };
let view: View;

beforeEach(() => {
  code.isGone = true;
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(async () => {
  await view.unmount();
  vi.restoreAllMocks();
});

const makePart = () => {
  const load = vi.fn(async () => {
    if (code.isGone) throw new TypeError("Failed to fetch dynamically imported module");
    return ({ name }: { readonly name: string }) => <b>{name}</b>;
  });
  return { load, Part: optional("the part", load) };
};

it("shows nothing where its code can't be loaded, and tries again with the next mount", async () => {
  const { load, Part } = makePart();
  view = await render(<Part name="Ann" />);
  await settled();
  expect(view.container.textContent).toBe("");
  await view.unmount();
  code.isGone = false;
  view = await render(<Part name="Ann" />);
  await settled();
  expect(view.container.textContent).toBe("Ann");
  await view.rerender(<Part name="Bob" />);
  expect(view.container.textContent).toBe("Bob");
  expect(load).toHaveBeenCalledTimes(2);
});

it("is shown at once when it was loaded before", async () => {
  code.isGone = false;
  const { load, Part } = makePart();
  view = await render(<Part name="Ann" />);
  await settled();
  await view.rerender(<Part key="again" name="Ann" />);
  expect(view.container.textContent).toBe("Ann");
  expect(load).toHaveBeenCalledTimes(1);
});
