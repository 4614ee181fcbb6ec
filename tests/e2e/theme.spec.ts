import type { Page } from "@playwright/test";
import { untilHydrated } from "../../scripts/bench/web/hydrated.ts";
import { flow } from "./support/flow.ts";
import { delayScripts } from "./support/slow-network.ts";
import { expect, test } from "./support/test.ts";

const theme = (page: Page) => page.locator("html").getAttribute("data-theme");
const background = (page: Page) =>
  page.evaluate(
    () => getComputedStyle(document.body).backgroundColor + getComputedStyle(document.documentElement).backgroundColor,
  );

flow("the theme follows the system until one is chosen", async ({ page, open, person, texts, colorScheme }) => {
  const [now, other] = colorScheme === "dark" ? (["dark", "light"] as const) : (["light", "dark"] as const);
  await open("/");
  expect(await theme(page)).toBe(now);
  const before = await background(page);
  await page.emulateMedia({ colorScheme: other });
  await expect(page.locator("html")).toHaveAttribute("data-theme", other);
  expect(await background(page)).not.toBe(before);

  const choose = async (name: "light" | "dark" | "system") => {
    await person.press(page.locator(`summary[aria-label^="${texts.common("theme.label")}"]`));
    await person.press(page.getByRole("button", { name: texts.common(`theme.${name}`), exact: true }));
  };
  await choose(now);
  expect(await theme(page)).toBe(now);
  expect(await background(page)).toBe(before);
  await choose("system");
  expect(await theme(page)).toBe(other);
  await choose(now);
  await page.reload();
  await untilHydrated(page);
  expect(await theme(page)).toBe(now);
});

test("a saved theme is applied before hydration", { tag: "@phone" }, async ({ page, open }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await open("/");
  const light = await background(page);
  await page.evaluate(() => localStorage.setItem("theme", "dark"));
  await page.addInitScript(() => {
    const seen: (string | undefined)[] = [];
    Object.assign(globalThis, { seenThemes: seen });
    const observe = () => {
      if (document.body !== null) seen.push(document.documentElement.dataset["theme"]);
      requestAnimationFrame(observe);
    };
    requestAnimationFrame(observe);
  });
  const release = await delayScripts(page);
  await page.reload({ waitUntil: "commit" });
  await expect(page.getByRole("main")).toBeVisible();
  expect(await theme(page)).toBe("dark");
  expect(await background(page)).not.toBe(light);
  release();
  await untilHydrated(page);
  const seen = await page.evaluate(() => [...new Set((globalThis as unknown as { seenThemes: string[] }).seenThemes)]);
  expect(seen).toEqual(["dark"]);
});
