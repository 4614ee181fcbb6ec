import { readFile } from "node:fs/promises";
import * as z from "zod";
import { expectAccessible } from "../a11y/accessible.ts";
import { newEmail, register, signIn } from "./support/accounts.ts";
import { flow } from "./support/flow.ts";
import { expect, test } from "./support/test.ts";

const keySchema = z.object({ publicKey: z.string(), secretKey: z.string() });

flow(
  "a rate is read and an order made in the reference of the API, with a key that the page forgets",
  async ({ page, open, person, texts, request, baseURL }) => {
    const { api } = texts;
    const email = newEmail();
    await register(request, email);
    await signIn(page, email);
    const made = await page.request.post("/api/v1/users/generate-api-key", {
      // Of a call with cookies the server checks where it comes from.
      headers: { origin: baseURL ?? "" },
      data: { name: "Shop", whiteListIp: "" },
    });
    const { publicKey, secretKey } = keySchema.parse(await made.json());

    await open("/docs/api");
    await expect(page.getByRole("heading", { level: 1, name: api("reference.title") })).toBeVisible();
    for (const part of ["Signing", api("reference.deliveries"), api("reference.failuresTitle")])
      await expect(page.getByRole("heading", { level: 2, name: part, exact: true })).toBeVisible();
    await expect(page.locator("#failure-401 ~ .w-reference__text").first()).toContainText("ERR_UNAUTHORIZED");
    await expect(page.locator('section[aria-labelledby="deliveries"]')).toContainText("X-Wherry-Signature");
    const call = (id: string) => page.locator(`section[aria-labelledby="${id}"]`);
    const said = (part: ReturnType<typeof call>) => part.locator("details > [role=status]");
    const rate = call("partnerRate");
    await expect(rate).toBeVisible();
    await person.type(page.getByLabel(api("try.publicKey"), { exact: true }), publicKey);
    await person.type(page.getByLabel(api("try.secretKey"), { exact: true }), secretKey);

    const send = async (part: ReturnType<typeof call>) => {
      await person.press(part.locator(".w-reference__try > summary"));
      await person.press(part.getByRole("button", { name: api("try.send"), exact: true }));
    };
    await send(rate);
    await expect(said(rate)).toContainText("200");
    await expect(said(rate)).toContainText("RateLimit:");
    await expectAccessible(page);

    const create = call("partnerCreateOrder");
    await send(create);
    await expect(said(create)).toContainText("201");
    const orderId = /"orderId": "(\w+)"/.exec(await said(create).innerText())?.[1] ?? "";
    const order = call("partnerOrder");
    await person.press(order.locator(".w-reference__try > summary"));
    await expect(order.getByLabel("orderId", { exact: true })).toHaveValue(orderId);

    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), document.cookie]),
    );
    expect(kept).not.toContain(secretKey);
    await page.reload();
    await expect(page.getByLabel(api("try.secretKey"), { exact: true })).toHaveValue("");
  },
);

test(
  "the document that can't be loaded is asked for again",
  { tag: "@desktop" },
  async ({ page, open, texts: { api, common }, problems }) => {
    problems.expect({ url: "/partner/openapi.json", as: 503 });
    problems.expectSaid(/the reference can't be loaded/);
    await page.route("**/api/v2/partner/openapi.json", (route) => route.fulfill({ status: 503, body: "" }), {
      times: 1,
    });
    await open("/docs/api");
    await expect(page.getByText(api("reference.failed"), { exact: true })).toBeVisible();
    await expectAccessible(page);
    await page.getByRole("button", { name: common("failed.retry") }).click();
    await expect(page.locator('section[aria-labelledby="partnerRate"]')).toBeVisible();
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await page.evaluate(brokenNames)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  },
);

/** Names of fields that go on in the next line inside a word: after a sign and before a capital they may. */
function brokenNames(): string[] {
  const found: string[] = [];
  for (const code of document.querySelectorAll(".w-reference__table td:first-child > code")) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      for (const { index, 0: word } of (node.nodeValue ?? "").matchAll(/[A-Za-z0-9]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
        if (lines.size > 1) found.push(`${code.textContent}: ${word}`);
      }
    }
  }
  return found;
}

test("Web Crypto of the browser makes the published signatures", { tag: "@desktop" }, async ({ page, open }) => {
  const vectors = z
    .array(z.record(z.string(), z.union([z.string(), z.number()])))
    .min(7)
    .parse(JSON.parse(await readFile("docs/signature-vectors.json", "utf8")));
  await open("/swap-api");
  const made = await page.evaluate(async (given) => {
    const bytes = (text: string) => new TextEncoder().encode(text);
    const signed = given.map(async (vector) => {
      const of = (name: string) => String(vector[name]);
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes(of("body"))));
      const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
      const text =
        vector["version"] === 1
          ? of("timestamp") + of("body") + of("publicKey")
          : [of("timestamp"), of("method"), of("path"), hex, of("publicKey")].join("\n");
      const algorithm = { name: "HMAC", hash: "SHA-256" };
      const key = await crypto.subtle.importKey("raw", bytes(of("secretKey")), algorithm, false, ["sign"]);
      return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes(text)))));
    });
    return Promise.all(signed);
  }, vectors);
  expect(made).toEqual(vectors.map(({ signature }) => signature));
});
