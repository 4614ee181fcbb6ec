import type { Page } from "@playwright/test";
import { calculatorOf } from "./support/screens.ts";
import { expect, test } from "./support/test.ts";

type Message = { event: string; params?: { rateMode: string }; data?: { instrumentTo: { slug: string } } };

/** Handlers between the page and the rates socket: each returns the messages to pass on, or null. */
type Between = {
  readonly toServer?: (asked: Message) => Message | null;
  readonly toPage?: (sent: Message) => readonly (Message | string)[];
};

const SOCKET = /\/api\/v2\/ws$/;

/** Intercepts the rates socket; a message that `toServer` answers never reaches the server. */
const intercept = (page: Page, { toServer, toPage }: Between): Promise<void> =>
  page.routeWebSocket(SOCKET, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      const answer = toServer?.(JSON.parse(String(text)) as Message) ?? null;
      if (answer === null) server.send(text);
      else socket.send(JSON.stringify(answer));
    });
    server.onMessage((text) => {
      const sent = toPage?.(JSON.parse(String(text)) as Message) ?? [String(text)];
      for (const message of sent) socket.send(typeof message === "string" ? message : JSON.stringify(message));
    });
  });

test.describe("where there is no fixed rate", () => {
  test.use({ lang: "ru", colorScheme: "dark" });

  test(
    "the rate goes to floating, says why, and another coin may have a fixed one",
    { tag: "@desktop" },
    async ({ page, open, person, texts }) => {
      const refusal = { status: "ERR_NOT_ACCEPTABLE", message: "" };
      await intercept(page, {
        toServer: ({ event, params }) => (params?.rateMode === "FIXED" ? ({ event, error: refusal } as Message) : null),
      });
      await open("/exchange-eth-usdt-erc20?amount=0.5");
      const { root, fixed, floating, getAbout, swap } = calculatorOf(page, texts);
      const reason = root.getByText(texts.exchange("rateMode.fixedRefused"));
      await person.press(fixed);
      await expect(reason).toBeVisible();
      await expect(floating).toBeChecked();
      await expect(fixed).toBeDisabled();
      await expect(getAbout).toHaveValue(/^1\s\d{3}\./);
      await person.press(swap);
      await expect(fixed).toBeEnabled();
      await expect(reason).toBeHidden();
    },
  );
});

test(
  "a fixed quote says until when it is valid, is constant until then, and is renewed",
  { tag: "@phone" },
  async ({ page, open, texts, api }) => {
    await page.clock.install();
    await open("/exchange-eth-usdt-erc20?amount=0.5&mode=fixed");
    const { root, getExactly } = calculatorOf(page, texts);
    const clock = root.getByText(new RegExp(`^${texts.exchange("rate.refreshesIn", { time: "\\d\\d:\\d\\d" })}$`));
    await expect(clock).toBeVisible();
    const quoted = await getExactly.inputValue();
    const pricedAt = async () => {
      const pair = { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", rateMode: "FIXED" } as const;
      return (await api.call("rate", { query: { ...pair, claimedDepositAmount: "0.5" } })).updatedAt;
    };
    const opened = await pricedAt();
    await page.clock.runFor(20_000);
    await expect(clock).toHaveText(new RegExp(texts.exchange("rate.refreshesIn", { time: "00:(?:3|40)" })));
    await expect(getExactly).toHaveValue(quoted);
    // The page's time runs ahead of the market, whose next prices a renewed quote needs.
    await expect.poll(pricedAt, { timeout: 30_000 }).not.toBe(opened);
    await page.clock.runFor(31_000);
    await expect(clock).toHaveText(new RegExp(texts.exchange("rate.refreshesIn", { time: "(?:01:00|00:5\\d)" })));
  },
);

test(
  "messages of another pair are ignored, and broken answers make the page use the rate call",
  { tag: "@desktop" },
  async ({ page, open, person, texts, problems }) => {
    let isBroken = false;
    problems.expectSaid(/^console warning: unreadable message on the rates socket/);
    await intercept(page, {
      toPage: (sent) => {
        if (isBroken) return [{ ...sent, data: { instrumentTo: { slug: "usdt-erc20" } } }];
        const ofAnotherPair = {
          ...sent,
          data: { ...sent.data, amountToGet: "1", instrumentTo: { slug: "dai-erc20" } },
        };
        return [sent, "<!doctype html>", { event: "news" }, ofAnotherPair];
      },
    });
    await open("/exchange-eth-usdt-erc20?amount=0.5");
    const { root, send, getAbout } = calculatorOf(page, texts);
    await person.type(send, "0.4");
    await expect(getAbout).toHaveValue(/^1\s\d{3}\./);

    isBroken = true;
    const asked = page.waitForResponse(/\/api\/v2\/rates\/public\/one/);
    await person.type(send, "0.8");
    expect((await asked).status()).toBe(200);
    await expect(getAbout).toHaveValue(/^2\s\d{3}\./);
    await expect(root.getByText(texts.exchange("rate.live"), { exact: true })).toBeVisible();
  },
);
