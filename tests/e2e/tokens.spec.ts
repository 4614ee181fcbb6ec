import { randomInt } from "node:crypto";
import type { Page } from "@playwright/test";
import { dialogOf, newEmail, PASSWORD, register, thisDevice } from "./support/accounts.ts";
import { readDevice } from "./support/device.ts";
import { Client, initDataOf, launchHash } from "./support/telegram-client.ts";
import { expect, test } from "./support/test.ts";

const KEY = "wherry-account";
const ACCOUNT_DATA = "/api/v1/users/account-data";

/** The bodies of all answers that the page's scripts can read, as they come. */
function bodiesOf(page: Page): () => Promise<string> {
  const bodies: Promise<string>[] = [];
  page.on("response", (response) => {
    if (/\/(api|sandbox)\//.test(response.url()))
      bodies.push(
        response.text().catch((error: unknown) => {
          // The page was left before it came.
          return `${response.url()} ${String(error)}`;
        }),
      );
  });
  return async () => (await Promise.all(bodies)).join("\n");
}

const tokensOf = async (page: Page): Promise<string[]> => {
  const cookies = (await page.context().cookies()).filter(({ name }) => /access|refresh/.test(name));
  expect(cookies.map(({ httpOnly, sameSite }) => [httpOnly, sameSite])).toEqual([
    [true, "Lax"],
    [true, "Lax"],
  ]);
  return cookies.map(({ value }) => value);
};

const cookieOf = async (page: Page): Promise<string> =>
  (await page.context().cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");

test.describe("on the website", { tag: "@desktop" }, () => {
  // Its caches are of the device too.
  test.use({ hasWorker: true });

  test("no token of a session is in an answer's body or on the device, and a logout leaves nothing of the person", async ({
    page,
    open,
    texts,
    request,
  }) => {
    const { account } = texts;
    const email = newEmail();
    await register(request, email);
    const bodies = bodiesOf(page);
    await open("/profile/info");
    const dialog = dialogOf(page, texts);
    await dialog.email.fill(email);
    await dialog.password.fill(PASSWORD);
    await dialog.button(account("login.submit")).click();
    await expect(thisDevice(page, texts)).toBeVisible();
    const first = await tokensOf(page);
    expect(
      await page.evaluate(
        async () =>
          (
            await fetch("/api/v1/users/authentication/refresh", {
              method: "POST",
              headers: { "content-type": "application/json" },
              body: "{}",
            })
          ).status,
      ),
    ).toBe(200);
    const tokens = [...first, ...(await tokensOf(page))];
    expect(new Set(tokens).size).toBe(4);
    for (const path of ["/profile/keys", "/profile/wallet", "/profile/history", "/"]) await open(path);
    await expect.poll(() => readDevice(page)).toContain(email);

    const [said, device, html] = [await bodies(), await readDevice(page), await page.content()];
    expect(said).toContain(email);
    for (const token of tokens) {
      expect(token.length).toBeGreaterThan(20);
      for (const text of [said, device, html]) expect(text).not.toContain(token);
    }

    await open("/profile/info");
    await page.getByRole("button", { name: account("profile.logOut"), exact: true }).click();
    // A logout ends on a page that is loaded anew; the one before it may say "Sign in" already.
    await page.waitForURL(({ pathname }) => pathname === "/");
    await expect(page.getByRole("link", { name: texts.common("nav.signIn"), exact: true })).toBeVisible();
    await expect.poll(() => readDevice(page)).not.toContain(email);
    expect(await page.evaluate((key) => localStorage.getItem(key), KEY)).toBeNull();
  });

  test("permissions forged in local storage give none on the server", async ({ page, open, texts, request }) => {
    const email = newEmail();
    await register(request, email);
    await page.request.post("/api/v1/users/local/authenticate", { data: { email, password: PASSWORD } });
    await open("/profile/info");
    await expect(thisDevice(page, texts)).toBeVisible();
    const stored = await page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? "{}") as object, KEY);
    expect(stored).toMatchObject({ email, permissions: "USER" });
    const forged = { ...stored, userId: 1, permissions: "ADMIN", adminPermissionsScope: ["kyc", "treasury", "admins"] };
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [KEY, JSON.stringify(forged)] as const);

    const asked = page.waitForResponse(`**${ACCOUNT_DATA}`);
    await page.reload();
    // The forged figures were not so old that the page would ask by itself.
    const data = await page.evaluate(async (path) => (await fetch(path)).json(), ACCOUNT_DATA);
    expect(await (await asked).json()).toEqual(data);
    expect(data).toMatchObject({ email, permissions: "USER", adminPermissionsScope: null });
    const headers = { "x-permissions": "ADMIN", cookie: `permissions=ADMIN; ${await cookieOf(page)}` };
    for (const path of ["admin/orders", "admin/users", "users/1/account-data"])
      expect((await page.request.get(`/api/v1/${path}`, { headers })).status()).toBe(404);
    expect(await (await page.request.get(ACCOUNT_DATA, { headers })).json()).toEqual(data);
  });
});

test.describe("inside Telegram", { tag: "@phone" }, () => {
  test("the token is in the page's memory alone", async ({ page, texts, problems }) => {
    // A user whom the service doesn't know yet is created then (contract §4).
    problems.expect({ url: "/api/v1/users/telegram/authenticate", as: 404 });
    await Client.around(page);
    const signedIn = page.waitForRequest((asked) => asked.url().includes(ACCOUNT_DATA));
    await page.goto(`/${launchHash(initDataOf(randomInt(1, 1_000_000_000)))}`);
    const { authorization = "" } = await (await signedIn).allHeaders();
    const token = authorization.replace(/^Bearer /, "");
    expect(token.length).toBeGreaterThan(20);
    await page.getByRole("link", { name: texts.common("nav.account"), exact: true }).click();
    await expect(page.getByText(texts.account("telegram.alone"))).toBeVisible();
    await expect.poll(() => readDevice(page)).toContain(KEY);
    for (const text of [await readDevice(page), await page.content(), page.url()]) expect(text).not.toContain(token);
  });
});
