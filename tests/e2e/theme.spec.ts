import type { Page } from "@playwright/test";
import { holdScripts } from "./support/hold.ts";
import { expect, test, untilHydrated } from "./support/test.ts";

const theme = (page: Page) => page.locator("html").getAttribute("data-theme");
const background = (page: Page) =>
  page.evaluate(
    () => getComputedStyle(document.body).backgroundColor + getComputedStyle(document.documentElement).backgroundColor,
  );

test("the theme follows the system until one is chosen", async ({ page, open, words }) => {
  await page.emulateMedia({ colorScheme: "dark" });
  await open("/");
  expect(await theme(page)).toBe("dark");
  const dark = await background(page);
  await page.emulateMedia({ colorScheme: "light" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  expect(await background(page)).not.toBe(dark);

  const choose = async (name: "light" | "dark" | "system") => {
    await page.locator(`summary[aria-label^="${words.common("theme.label")}"]`).click();
    await page.getByRole("button", { name: words.common(`theme.${name}`), exact: true }).click();
  };
  await choose("dark");
  expect(await theme(page)).toBe("dark");
  expect(await background(page)).toBe(dark);
  await choose("system");
  expect(await theme(page)).toBe("light");
  await choose("dark");
  await page.reload();
  await untilHydrated(page);
  expect(await theme(page)).toBe("dark");
});

test("a remembered theme is there before the app is", async ({ page, open }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await open("/");
  const light = await background(page);
  await page.evaluate(() => localStorage.setItem("theme", "dark"));
  await page.addInitScript(() => {
    const seen: (string | undefined)[] = [];
    Object.assign(globalThis, { seenThemes: seen });
    const look = () => {
      if (document.body !== null) seen.push(document.documentElement.dataset["theme"]);
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const release = await holdScripts(page);
  await page.reload({ waitUntil: "commit" });
  await expect(page.getByRole("main")).toBeVisible();
  expect(await theme(page)).toBe("dark");
  expect(await background(page)).not.toBe(light);
  release();
  await untilHydrated(page);
  const seen = await page.evaluate(() => [...new Set((globalThis as unknown as { seenThemes: string[] }).seenThemes)]);
  expect(seen).toEqual(["dark"]);
});
