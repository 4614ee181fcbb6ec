import type { Locator } from "@playwright/test";

/** Someone who uses the app; counts what they have to do. */
export class Person {
  #interactions = 0;

  get interactions(): number {
    return this.#interactions;
  }

  async type(field: Locator, text: string): Promise<void> {
    this.#interactions += 1;
    await field.fill(text);
  }

  async press(target: Locator): Promise<void> {
    this.#interactions += 1;
    await target.click();
  }

  async tick(box: Locator): Promise<void> {
    this.#interactions += 1;
    await box.check();
  }
}
