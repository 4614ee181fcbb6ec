import * as z from "zod";
import { calls } from "#contract/calls.ts";
import { orderSchema } from "#contract/order.ts";
import { accessibilityDefects } from "../a11y/accessible.ts";
import { randomAddress } from "../support/scenarios/http-swap.ts";
import { eventsOf, heardBy, openOtherSite, untilItAnswers, widgetIn } from "./support/other-site.ts";
import { balanceOf } from "./support/payout.ts";
import { reactSite } from "./support/react-site.ts";
import { calculatorOf, choiceOf, decimalOf, destinationOf, orderOf } from "./support/screens.ts";
import { untilSettled } from "./support/settled.ts";
import { expect, test } from "./support/test.ts";
import { textsOf } from "./support/texts.ts";
import { wholeChromium } from "./support/whole-chromium.ts";

test.use(wholeChromium);

const SHOP = "https://shop.example";
const EVIL = "https://evil.example";

test.describe("the widget on another site", { tag: "@phone" }, () => {
  test.beforeEach(({ problems }) => {
    // What Chromium says of a local page without TLS in a frame, and of the storage that it denies.
    problems.expectSaid(/^console warning: Mixed Content|saved orders can't be/);
    problems.expect({ url: /^https:\/\/(?:shop|evil)\.example\/favicon\.ico/, as: "failed" });
  });

  test("without storage a swap ends at a new rate, another is refunded, and the host page gets each event", async ({
    page,
    texts,
    api,
    chain,
    baseURL,
  }) => {
    const destination = randomAddress();
    const cookies: string[] = [];
    page.on("response", async (response) => {
      if (!response.url().startsWith(baseURL ?? "")) return;
      const [sent, set] = [await response.request().allHeaders(), await response.allHeaders()];
      for (const cookie of [sent["cookie"], set["set-cookie"]]) if (cookie) cookies.push(`${response.url()} ${cookie}`);
    });
    // A person who is signed in on the site is nobody in the widget.
    await page.context().addCookies([{ name: "access", value: "any", url: baseURL ?? "" }]);
    await openOtherSite(
      page,
      SHOP,
      `<script src="${baseURL}/embed.js" async></script>
       <div data-wherry data-from="eth" data-to="usdt-erc20" data-amount="0.5" data-theme="dark" style="width: 390px"></div>`,
    );
    let widget = await widgetIn(page);
    expect(await widget.evaluate(attemptStorage)).toEqual({ cookie: "", storage: "SecurityError" });

    const calculator = calculatorOf(widget, texts);
    await expect(calculator.send).toHaveValue("0.5");
    await expect(widget.locator("html")).toHaveAttribute("data-theme", "dark");
    await expect.poll(async () => (await eventsOf(page)).map(([type]) => type)).toEqual(["ready"]);
    await orderAndPayLess(destination, randomAddress());
    const [order, choice] = [orderOf(widget, texts), choiceOf(widget, texts)];
    await choice.accept.check({ force: true });
    await untilAsHighAsItsContent();
    await choice.doAccept.click();
    await untilSettled(widget, order.sentToYou);
    await untilAsHighAsItsContent();

    const received = await balanceOf({ api, chain }, "usdt-erc20", destination);
    expect(decimalOf(await order.delivered.innerText())).toBe(received);
    const reference = await order.reference.innerText();
    const events = (await eventsOf(page)).slice(1);
    expect(events[0]).toEqual(["order-created", { reference, status: expect.any(String) }]);
    expect(events.at(-1)).toEqual(["order-updated", { reference, status: "WITHDRAWAL_COMPLETED" }]);
    for (const [type, detail] of events.slice(1)) {
      expect(type).toBe("order-updated");
      expect(Object.keys(detail as object).toSorted()).toEqual(["reference", "status"]);
    }
    // Nothing that was said opens the order.
    const said = JSON.stringify(await heardBy(page));
    expect(said).not.toContain(destination);
    expect(said.match(/"(?:orderId|id|address)"/g)).toBeNull();
    expect((await heardBy(page)).every(({ origin }) => origin === baseURL)).toBe(true);

    await page.reload();
    widget = await widgetIn(page);
    const home = randomAddress();
    await orderAndPayLess(randomAddress(), home);
    const second = choiceOf(widget, texts);
    await second.refund.check({ force: true });
    await untilAsHighAsItsContent();
    await second.doRefund.click();
    await untilSettled(widget, second.returned);
    expect(BigInt(await chain.call("eth_getBalance", [home, "latest"], z.string()))).toBeGreaterThan(0n);
    expect((await eventsOf(page)).at(-1)).toEqual([
      "order-updated",
      { reference: await orderOf(widget, texts).reference.innerText(), status: "REFUND_COMPLETED" },
    ]);
    expect(JSON.stringify(await heardBy(page))).not.toContain(home);
    expect(cookies.filter((cookie) => !cookie.includes("/embed.js"))).toEqual([]);

    /** Another sum than the fixed one is paid: its rate is offered anew, beside a refund. */
    async function orderAndPayLess(address: string, refund: string): Promise<void> {
      const calculator = calculatorOf(widget, texts);
      await untilAsHighAsItsContent();
      await calculator.fixed.check({ force: true });
      await calculator.proceed.click();
      const step = destinationOf(widget, texts, { send: "ETH", get: "USDT" });
      await step.address.fill(address);
      await step.refund.fill(refund);
      await step.terms.check();
      await untilAsHighAsItsContent();
      const created = page.waitForResponse((response) => response.url().includes(calls.createOrder.path));
      await step.create.click();
      const { orderId } = orderSchema.parse(await (await created).json());
      await expect(orderOf(widget, texts).pay).toBeVisible();
      await api.call("sandboxPay", { body: { orderId, amount: "0.4" } });
      await untilSettled(widget, choiceOf(widget, texts).accept);
    }

    /** The frame's height is its content's: nothing scrolls inside it. */
    async function untilAsHighAsItsContent(): Promise<void> {
      await expect
        .poll(() => widget.evaluate(() => document.documentElement.scrollHeight - innerHeight))
        .toBeLessThanOrEqual(0);
      expect(await widget.evaluate(() => innerHeight)).toBeGreaterThan(300);
    }
  });

  test("the code that the page of the widget gives runs on another site as it is", async ({ page, open, texts }) => {
    await open("/widget");
    // The phone has less room than the width that is chosen: the preview is drawn smaller, not laid out narrower.
    const preview = await widgetIn(page);
    await expect.poll(() => preview.evaluate(() => innerWidth)).toBe(400);
    await expect(calculatorOf(preview, texts).floating).toBeVisible();
    await expect(page.getByText(texts.widget("preview.scaled", { width: "400", percent: "85" }))).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    await page.getByLabel(texts.widget("form.from")).selectOption("eth");
    await page.getByLabel(texts.widget("form.to")).selectOption("usdt-erc20");
    await page.getByLabel(texts.widget("form.amount")).fill("0.25");
    await page.getByLabel(texts.widget("form.ref"), { exact: true }).fill('AB "12" <b>');
    await page.getByRole("checkbox", { name: texts.widget("form.onePair") }).check();
    const codes = new Map<string, string>();
    for (const kind of ["HTML", "WordPress", "React"]) {
      await page.getByRole("radio", { name: kind }).check();
      codes.set(kind, await page.locator(".w-widget__snippet pre").innerText());
    }
    for (const [kind, code] of codes) {
      await openOtherSite(page, SHOP, kind === "React" ? await reactSite(code) : code);
      const widget = await widgetIn(page);
      const calculator = calculatorOf(widget, texts);
      await expect(calculator.send, kind).toHaveValue("0.25");
      await expect.poll(async () => (await eventsOf(page)).map(([type]) => type)).toEqual(["ready"]);
      await calculator.getCoin.click();
      await expect(widget.getByRole("dialog").getByRole("option")).toHaveCount(1);
      expect(new URL(widget.url()).searchParams.get("ref")).toBe('AB "12" <b>');
      await page.unrouteAll();
    }
  });

  test("a page that is not the parent's origin hears nothing, nor does one that is not named", async ({
    page,
    texts,
    baseURL,
    problems,
  }) => {
    problems.expectSaid(/postMessage.*does not match the recipient window's origin/);
    const other = encodeURIComponent(SHOP);
    for (const query of [`?parentOrigin=${other}`, "", "?parentOrigin=*", "?parentOrigin=null"]) {
      await openOtherSite(page, EVIL, `<iframe src="${baseURL}/embed${query}" width="390" height="700"></iframe>`);
      const widget = await widgetIn(page);
      await calculatorOf(widget, texts).proceed.click();
      // By then it has said what it says of its start and of its height.
      await expect(destinationOf(widget, texts, { send: "ETH", get: "USDT" }).create).toBeVisible();
      expect(await heardBy(page), query).toEqual([]);
      await page.unrouteAll();
    }
  });

  test("a hostile page can neither speak to the widget nor in its name, nor frame any other page", async ({
    page,
    texts,
    baseURL,
    problems,
    request,
  }) => {
    problems.expectSaid(/frame-ancestors|Framing /);
    problems.expect({ url: /^(http:\/\/localhost|chrome-error)/, as: "failed" });
    // The other spelling is no page at all.
    problems.expect({ url: /%65mbed$|^chrome-error/, as: 404 });
    await openOtherSite(
      page,
      EVIL,
      `<script src="${baseURL}/embed.js"></script><wherry-widget from="eth" to="usdt-erc20"></wherry-widget>
       <iframe id="liar" srcdoc="<script>
         const lies = [
           { source: 'wherry', type: 'height', height: 5000 },
           { source: 'wherry', type: 'order-updated', reference: 'WH-FAKE', status: 'WITHDRAWAL_COMPLETED' },
         ];
         for (const lie of lies) parent.postMessage(lie, '*');
         parent.postMessage('lied', '*');
       </script>"></iframe>`,
    );
    const widget = await widgetIn(page);
    await expect(calculatorOf(widget, texts).send).toBeVisible();
    await expect.poll(async () => (await heardBy(page)).some(({ data }) => data === "lied")).toBe(true);
    await expect.poll(async () => (await eventsOf(page)).map(([type]) => type)).toEqual(["ready"]);
    expect(await page.locator("wherry-widget iframe").evaluate((frame) => frame.clientHeight)).toBeLessThan(2_000);

    // The widget listens to nobody.
    await page.evaluate(() => {
      const target = document.querySelector<HTMLIFrameElement>("wherry-widget iframe")?.contentWindow;
      for (const type of ["ready", "order-created", "navigate", "set"])
        target?.postMessage({ source: "wherry", type, to: "btc", destination: "0x0", ref: "evil" }, "*");
    });
    await expect(calculatorOf(widget, texts).getCoin).toContainText("USDT");

    // Other spellings of its path are the app's own pages.
    for (const path of [
      "/",
      "/widget",
      "/order/pending",
      "/profile/info",
      "/%65mbed",
      "//embed",
      "/embed/",
      "/ru/embed",
    ]) {
      const { headers, status } = await answerOf(path);
      expect(`${path} ${status} ${policyOf(headers, "frame-ancestors")}`).toBe(
        `${path} ${status} https://web.telegram.org`,
      );
    }
    const { headers } = await answerOf("/embed");
    expect(policyOf(headers, "frame-ancestors")).toBe("*");
    expect(headers["set-cookie"]).toBeUndefined();
    await page.evaluate((src) => {
      document.body.append(Object.assign(document.createElement("iframe"), { src, id: "closed" }));
    }, `${baseURL}/%65mbed`);
    await expect.poll(() => page.frames().filter((frame) => frame.url().includes("%65mbed")).length).toBe(0);

    async function answerOf(path: string) {
      const answer = await request.get(`${baseURL}${path}`, { maxRedirects: 0 });
      return { headers: answer.headers(), status: answer.status() };
    }
  });

  test("a customer whose rate has ended gets the deposit back in it, and axe finds nothing on the way", async ({
    page,
    texts,
    api,
  }) => {
    const found: string[] = [];
    const look = async (screen: string) => {
      for (const defect of await accessibilityDefects(page)) found.push(`${screen}: ${defect}`);
      for (const width of [480, 300]) {
        await page.setViewportSize({ width, height: 900 });
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) found.push(`${screen} at ${width}: ${over} px too wide`);
      }
    };
    await page.setViewportSize({ width: 400, height: 900 });
    const gate = Promise.withResolvers<void>();
    await page.route(/\/destination-step-[^/]*\.js/, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.goto("/embed?from=eth&to=usdt-erc20&amount=0.5&theme=dark");
    await untilItAnswers(page);
    const calculator = calculatorOf(page, texts);
    await calculator.fixed.check({ force: true });
    await calculator.proceed.click();
    // The step's code is still on its way: what was there stays, and the frame as high as it was.
    await page.evaluate(
      () => new Promise((resolve) => void requestAnimationFrame(() => requestAnimationFrame(() => resolve(null)))),
    );
    await expect(calculator.proceed).toBeVisible({ timeout: 1 });
    gate.resolve();
    const step = destinationOf(page, texts, { send: "ETH", get: "USDT" });
    await step.address.fill(randomAddress());
    await step.refund.fill(randomAddress());
    await step.terms.check();
    await look("destination");
    const created = page.waitForResponse((response) => response.url().includes(calls.createOrder.path));
    await step.create.click();
    const { orderId } = orderSchema.parse(await (await created).json());
    const order = orderOf(page, texts);
    await expect(order.pay).toBeVisible();
    await look("order");
    await api.call("sandboxPay", { body: { orderId, amount: "0.4" } });
    const choice = choiceOf(page, texts);
    await untilSettled(page, choice.accept);
    await look("choice");
    await choice.refund.check({ force: true });
    await look("refund");
    await choice.doRefund.click();
    await untilSettled(page, choice.returned);
    await look("returned");
    expect(found).toEqual([]);
  });

  test("from 300 to 480 px, in both themes and languages, it fits and axe finds nothing", async ({ page }) => {
    const found: string[] = [];
    // More than the pair takes, and what pays six digits and six decimals.
    for (const [lang, theme, amount, extra] of [
      ["en", "light", "1234.56789", ""],
      ["ru", "dark", "1234.56789", "&compact=1&accent=ffff00"],
      ["ru", "light", "60", "&accent=ffff00"],
      ["en", "dark", "60", "&compact=1&accent=000000"],
    ] as const) {
      const query = `?from=eth&to=usdt-erc20&amount=${amount}&lang=${lang}&theme=${theme}${extra}`;
      await page.setViewportSize({ width: 400, height: 900 });
      await page.goto(`/embed${query}`);
      await expect(page.locator("html")).toHaveAttribute("lang", lang);
      await expect(page.locator("html")).toHaveAttribute("data-theme", theme);
      for (const defect of await accessibilityDefects(page)) found.push(`${query}: ${defect}`);
      await untilItAnswers(page);
      for (const width of [300, 320, 360, 400, 480]) {
        await page.setViewportSize({ width, height: 900 });
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) found.push(`${query} at ${width}: ${over} px too wide`);
        for (const cut of await page.evaluate(cutAmounts)) found.push(`${query} at ${width}: ${cut} is cut off`);
      }
      if (extra === "") continue;
      for (const coin of [calculatorOf(page, textsOf(lang)).sendCoin, calculatorOf(page, textsOf(lang)).getCoin]) {
        await coin.click();
        await expect(page.getByRole("dialog").getByRole("option").first()).toBeVisible();
        for (const width of [300, 320, 360, 400, 480]) {
          await page.setViewportSize({ width, height: 900 });
          for (const word of await page.evaluate(brokenWords)) found.push(`${query} at ${width}: ${word} is broken`);
        }
        await page.keyboard.press("Escape");
        await expect(page.getByRole("dialog")).toBeHidden();
      }
    }
    expect(found).toEqual([]);
  });
});

test(
  "the page of the widget makes its code and shows it as it will be",
  { tag: "@desktop" },
  async ({ page, open, texts, lang }) => {
    await open("/widget");
    const widget = await widgetIn(page);
    await expect(calculatorOf(widget, texts).send).toBeVisible();
    await page.getByLabel(texts.widget("form.from")).selectOption("eth");
    await page.getByLabel(texts.widget("form.to")).selectOption("usdt-erc20");
    await page.getByLabel(texts.widget("form.amount")).fill("0.25");
    await page.getByLabel(texts.widget("form.accent"), { exact: true }).fill("#ffff00");
    await expect(page.getByText(/#[0-9a-f]{6}.*#[0-9a-f]{6}/)).toBeVisible();
    await page.getByRole("checkbox", { name: texts.widget("form.onePair") }).check();
    const code = page.locator(".w-widget__snippet pre");
    await expect(code).toContainText(
      `<wherry-widget from="eth" to="usdt-erc20" amount="0.25" accent="ffff00" lang="${lang}" pairs="eth-usdt-erc20">`,
    );
    const shown = await widgetIn(page);
    // The code is there before the widget has loaded anew with what it says.
    await shown.waitForURL(/pairs=eth-usdt-erc20/);
    await untilItAnswers(shown);
    await expect(calculatorOf(shown, texts).send).toHaveValue("0.25");
    await calculatorOf(shown, texts).getCoin.click();
    await expect(shown.getByRole("dialog").getByRole("option")).toHaveCount(1);
    await page.getByRole("radio", { name: "WordPress" }).check();
    await expect(code).toContainText("<!-- wp:html -->");
  },
);

/** Amounts that their fields don't show whole, once those have fitted their letters to the width. */
async function cutAmounts(): Promise<string[]> {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  return [...document.querySelectorAll<HTMLInputElement>(".w-amount-field")]
    .filter((field) => field.scrollWidth > field.clientWidth)
    .map(({ value }) => value);
}

/** What a page may do, in its Content-Security-Policy. */
const policyOf = (headers: Record<string, string>, name: string): string | undefined =>
  headers["content-security-policy"]
    ?.split("; ")
    .find((directive) => directive.startsWith(`${name} `))
    ?.slice(name.length + 1);

/** The words of the open dialog that stand on two lines. */
function brokenWords(): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.querySelector("dialog[open]") ?? document, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const node = texts.currentNode;
    for (const { index, 0: word } of (node.nodeValue ?? "").matchAll(/[\p{L}\p{N}.,$]+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top));
      if (new Set(lines).size > 1) found.push(word);
    }
  }
  return found;
}

/** What the browser gives a frame of another site. */
function attemptStorage(): { cookie: string; storage: string } {
  document.cookie = "saved=1; samesite=none; secure";
  try {
    return { cookie: document.cookie, storage: String(localStorage.length) };
  } catch (error) {
    return { cookie: document.cookie, storage: (error as Error).name };
  }
}
