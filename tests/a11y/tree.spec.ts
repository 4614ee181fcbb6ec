import { applicationFor } from "../support/scenarios/http-swap.ts";
import { orderPath } from "../e2e/support/orders.ts";
import { calculatorOf, destinationOf, orderOf } from "../e2e/support/screens.ts";
import { expect, test } from "../e2e/support/test.ts";
import { LOCALES } from "../e2e/support/texts.ts";
import { beginning, escaped, holds, node } from "./tree.ts";

for (const lang of LOCALES) {
  // A screen reader's texts depend on the language, hardly on the width: each language has one.
  test.describe(`the accessibility tree in ${lang}`, { tag: lang === "en" ? "@phone" : "@desktop" }, () => {
    test.use({ lang });

    test("of the calculator and the list of coins", async ({ page, open, texts }) => {
      const t = texts.exchange;
      await open("/exchange-eth-usdt-erc20?amount=0.5");
      const { root, send, getCoin } = calculatorOf(page, texts);
      await send.fill("0.6");
      await expect(root).toMatchAriaSnapshot(`
        ${node("region", t("calculator.label"))}:
          ${node("textbox", t("calculator.send"))}
          ${node("button", `ETH Ethereum ${t("calculator.chooseSend")}`)}
          ${node("button", t("calculator.swap"))}
          ${node("textbox", t("calculator.getAbout"))}
          ${node("button", `USDT Ethereum ${t("calculator.chooseGet")}`)}
          ${node("radiogroup", t("rateMode.label"))}:
            ${node("radio", t("rateMode.floating"), "checked")}
            ${node("radio", t("rateMode.fixed"))}
          ${holds("paragraph", t("rateMode.floatingCaption"))}
          ${node("button", /^1 ETH ≈ /)}
          ${holds("term", beginning(t("rate.market", { rate: "" }).trimEnd()))}
          ${holds("definition", /USDT$/)}
          ${holds("term", t("rate.platformFee", { percent: "0.5" }))}
          ${holds("definition", /^−.+USDT$/)}
          ${holds("term", t("rate.networkFee"))}
          ${holds("definition", /^−.+USDT$/)}
          ${node("link", t("calculator.continue"))}
          ${holds("status", beginning(t("calculator.getAbout")))}
      `);
      await send.fill("0.0001");
      await expect(send).toHaveAttribute("aria-invalid", "true");
      await expect(send).toHaveAccessibleDescription(
        new RegExp(escaped(t("blocker.tooSmall", { amount: "#", ticker: "ETH" })).replace("#", "0\\.\\d+")),
      );

      await send.fill("0.6");
      await getCoin.click();
      const dialog = page.getByRole("dialog", { name: t("selector.get") });
      await expect(dialog).toMatchAriaSnapshot(`
        ${node("dialog", t("selector.get"))}:
          ${node("heading", t("selector.get"), "level=2")}
          ${node("button", texts.common("ui.close"))}
          ${node("combobox", t("selector.search"), "expanded")}
          ${node("heading", t("selector.popular"), "level=3")}
          ${node("listbox", t("selector.get"))}:
            ${node("option", new RegExp(escaped(t("selector.isSent"))))}
            ${node("option", /Tether/, "selected")}
      `);
      const search = dialog.getByRole("combobox");
      await search.fill("dai");
      await expect(dialog).toMatchAriaSnapshot(`
        ${node("dialog", t("selector.get"))}:
          ${node("listbox", t("selector.get"))}:
            ${node("option", /Dai.*DAI.*Ethereum/)}
          ${holds("status", t("selector.found", { count: 1 }))}
      `);
      const option = await dialog.getByRole("option").getAttribute("id");
      await expect(search).toHaveAttribute("aria-activedescendant", option ?? "an option's id");
    });

    test("of the destination step and its errors", async ({ page, open, texts }) => {
      const t = texts.exchange;
      await open("/exchange-eth-xrp?amount=0.5&mode=fixed&step=destination");
      const step = destinationOf(page, texts, { send: "ETH", get: "XRP", network: "XRP Ledger" });
      const address = t("destination.address", { ticker: "XRP", network: "XRP Ledger" });
      const refund = t("destination.refund", { ticker: "ETH", network: "Ethereum" });
      await expect(step.title).toBeVisible();
      await step.create.click();
      await expect(step.address).toBeFocused();
      await expect(page.getByRole("form")).toMatchAriaSnapshot(`
        ${node("form", t("destination.title", { ticker: "XRP" }))}:
          ${node("heading", t("destination.title", { ticker: "XRP" }), "level=1")}
          ${holds("paragraph", /^0\.5 ETH → .+ XRP$/)}
          ${holds("paragraph", t("destination.fixedHeld", { minutes: 20 }))}
          ${node("textbox", address, "invalid")}
          ${node("button", t("destination.paste"))}
          ${node("button", t("destination.scan"))}
          ${holds("paragraph", t("blocker.addressEmpty", { ticker: "XRP" }))}
          ${node("textbox", t("destination.tag"), "invalid")}
          ${holds("paragraph", t("blocker.memoEmpty", { context: "tag" }))}
          ${node("checkbox", t("destination.noMemo", { context: "tag" }))}
          ${node("textbox", refund, "invalid")}
          ${node("button", `${t("destination.paste")} ${refund}`)}
          ${node("button", `${t("destination.scan")} ${refund}`)}
          ${holds("paragraph", t("blocker.refundEmpty", { ticker: "ETH" }))}
          ${node("checkbox", t("destination.terms"), "invalid")}
          ${holds("paragraph", t("blocker.terms"))}
          ${holds("status", t("destination.attention", { count: 4 }))}
          ${node("button", t("destination.create"))}
      `);
      await expect(step.address).toHaveAccessibleDescription(t("blocker.addressEmpty", { ticker: "XRP" }));
      await expect(step.tag).toHaveAccessibleDescription(t("blocker.memoEmpty", { context: "tag" }));
      await expect(page.getByLabel(refund, { exact: true })).toHaveAccessibleDescription(
        t("blocker.refundEmpty", { ticker: "ETH" }),
      );
      await expect(step.terms).toHaveAccessibleDescription(t("blocker.terms"));
    });

    test("of an order that waits for its deposit", async ({ page, open, texts, api }) => {
      const t = texts.order;
      const order = await api.call("createOrder", await applicationFor(api, { rateMode: "FIXED" }));
      await open(orderPath(order));
      await expect(page.getByRole("main")).toMatchAriaSnapshot(`
        - main:
          - article:
            ${node("heading", /^0\.5 ETH → .+ USDT$/, "level=1")}
            ${node("list", t("steps.label"))}:
              ${holds("listitem", t("steps.send"))}
              ${holds("listitem", t("steps.processing"))}
              ${holds("listitem", t("steps.completed"))}
            - paragraph:
              ${node("timer", t("rateLock.label"))}: /\\d+:\\d\\d/
            ${holds("paragraph", /^0\.5\sETH$/)}
            ${holds("text", order.depositAddress)}
            ${node("button", t("address.copy"))}
            ${node("img", new RegExp(`${order.depositAddress}$`))}
            - complementary:
              ${node("region", t("summary.title"))}:
                ${node("heading", t("summary.title"), "level=2")}
                ${holds("term", t("summary.send"))}
                ${holds("definition", /^0\.5\sETH$/)}
      `);
      await expect(orderOf(page, texts).step("send")).toHaveAttribute("aria-current", "step");
    });
  });
}
