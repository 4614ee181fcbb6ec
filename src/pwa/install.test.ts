import { expect, it } from "vitest";
import { type InstallMethod, installMethod, isIos } from "./install.ts";

const asked = { shell: "web", hasOffer: true, isIos: false, hasCompletedOrder: true, isDismissed: false };

it.each<[string, Partial<typeof asked>, InstallMethod]>([
  ["after a completed order, where the browser offers it", {}, "dialog"],
  ["before an order is completed", { hasCompletedOrder: false }, "none"],
  ["once it was dismissed", { isDismissed: true }, "none"],
  ["inside Telegram", { shell: "telegram" }, "none"],
  ["in the installed app", { shell: "pwa" }, "none"],
  ["where the browser does not offer it", { hasOffer: false }, "none"],
  ["on iOS, which never offers it", { hasOffer: false, isIos: true }, "instructions"],
  ["on iOS before an order is completed", { hasOffer: false, isIos: true, hasCompletedOrder: false }, "none"],
  ["on iOS once it was dismissed", { hasOffer: false, isIos: true, isDismissed: true }, "none"],
  ["in Telegram on iOS", { hasOffer: false, isIos: true, shell: "telegram" }, "none"],
  ["on iOS in the installed app", { hasOffer: false, isIos: true, shell: "pwa" }, "none"],
  ["on iOS in a browser that offers it", { isIos: true }, "dialog"],
])("%s", (_situation, changes, expected) => {
  expect(installMethod({ ...asked, ...changes })).toBe(expected);
});

it.each([
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1", 5, true],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15", 5, true],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Safari/605.1.15", 0, false],
  ["Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36", 5, false],
])("%s with %i touch points", (userAgent, maxTouchPoints, expected) => {
  expect(isIos({ userAgent, maxTouchPoints })).toBe(expected);
});
