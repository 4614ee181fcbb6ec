import { expect, type Locator, type Page } from "@playwright/test";
import { moveTo, tabTo, tabToGroup } from "./keyboard.ts";

/** The way of input. */
export type Input = "pointer" | "keyboard";

type Way = {
  reach(target: Locator): Promise<void>;
  type(field: Locator, text: string): Promise<void>;
  press(target: Locator): Promise<void>;
  pressTwice(target: Locator): Promise<void>;
  tick(box: Locator): Promise<void>;
  choose(radio: Locator): Promise<void>;
  pick(search: Locator, option: Locator): Promise<void>;
};

/** A user with one way of input; counts the interactions. */
export class Person {
  readonly #way: Way;
  #interactions = 0;

  constructor(way: Way) {
    this.#way = way;
  }

  get interactions(): number {
    return this.#interactions;
  }

  /** Moves to a control that is pressed later. */
  async reach(target: Locator): Promise<void> {
    await this.#way.reach(target);
  }

  /** Puts a text in the place of what a field holds. */
  async type(field: Locator, text: string): Promise<void> {
    this.#interactions += 1;
    await this.#way.type(field, text);
  }

  async press(target: Locator): Promise<void> {
    this.#interactions += 1;
    await this.#way.press(target);
  }

  /** As fast as a double press is made. */
  async pressTwice(target: Locator): Promise<void> {
    this.#interactions += 2;
    await this.#way.pressTwice(target);
  }

  async tick(box: Locator): Promise<void> {
    this.#interactions += 1;
    await this.#way.tick(box);
    await expect(box).toBeChecked();
  }

  async choose(radio: Locator): Promise<void> {
    this.#interactions += 1;
    await this.#way.choose(radio);
    await expect(radio).toBeChecked();
  }

  /** Takes an option of the list that a search field controls. */
  async pick(search: Locator, option: Locator): Promise<void> {
    this.#interactions += 1;
    await this.#way.pick(search, option);
  }
}

/** A finger where the screen can be touched, else the mouse. */
export function byPointer(page: Page, hasTouch: boolean): Way {
  const press = (target: Locator) => (hasTouch ? target.tap() : target.click());
  const tapTwice = async (target: Locator) => {
    await target.scrollIntoViewIfNeeded();
    const box = await target.boundingBox();
    if (box === null) throw new Error(`nothing to tap: ${String(target)}`);
    const tap = () => page.touchscreen.tap(box.x + box.width / 2, box.y + box.height / 2);
    await Promise.all([tap(), tap()]);
  };
  return {
    reach: (target) => target.scrollIntoViewIfNeeded(),
    type: (field, text) => field.fill(text),
    press,
    pressTwice: (target) => (hasTouch ? tapTwice(target) : target.dblclick()),
    tick: press,
    choose: press,
    pick: (_search, option) => press(option),
  };
}

/** Tab to each control, whose focus must be visible, then its keys. */
export function byKeyboard(page: Page): Way {
  return {
    reach: (target) => tabTo(page, target),
    type: async (field, text) => {
      await tabTo(page, field);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
    },
    press: async (target) => {
      await tabTo(page, target);
      await page.keyboard.press("Enter");
    },
    pressTwice: async (target) => {
      await tabTo(page, target);
      await Promise.all([page.keyboard.press("Enter"), page.keyboard.press("Enter")]);
    },
    tick: async (box) => {
      await tabTo(page, box);
      await page.keyboard.press("Space");
    },
    choose: (radio) => tabToGroup(page, radio),
    pick: async (search, option) => {
      await tabTo(page, search);
      await moveTo(page, search, option);
      await page.keyboard.press("Enter");
    },
  };
}
