import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { render, settled, type View } from "../../shared/testing/render.tsx";
import { Menu } from "./menu.tsx";

let view: View;
beforeEach(async () => {
  view = await render(
    <>
      <Menu label="Theme" summary="sun">
        <li>
          <button type="button" className="w-menu__item">
            Dark
          </button>
        </li>
      </Menu>
      <button type="button" id="other">
        Other
      </button>
    </>,
  );
  view.get<HTMLDetailsElement>("details").open = true;
});
afterEach(() => view.unmount());

const isOpen = () => view.get<HTMLDetailsElement>("details").open;

describe("a menu", () => {
  it("is closed by Esc, which moves the focus to its button", async () => {
    view.get(".w-menu__item").focus();
    await settled(() => document.dispatchEvent(new KeyboardEvent("keydown", { key: "a" })));
    expect(isOpen()).toBe(true);
    await settled(() => document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" })));
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(view.get("summary"));
  });

  it("is closed by a choice", async () => {
    await settled(() => view.get(".w-menu__item").click());
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(view.get("summary"));
  });

  it("is closed by a press or the focus elsewhere, which keeps the focus", async () => {
    await settled(() => view.get("#other").dispatchEvent(new Event("pointerdown", { bubbles: true })));
    expect(isOpen()).toBe(false);
    view.get<HTMLDetailsElement>("details").open = true;
    await settled(() => view.get("#other").focus());
    expect(isOpen()).toBe(false);
    expect(document.activeElement).toBe(view.get("#other"));
  });

  it("stays while something inside is pressed", async () => {
    await settled(() => view.get(".w-menu__item").dispatchEvent(new Event("pointerdown", { bubbles: true })));
    expect(isOpen()).toBe(true);
  });
});
