import { randomInt, randomUUID } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { CoinOrder } from "#contract/order.ts";
import { SANDBOX_BOT_TOKEN } from "../../../server/config/telegram.ts";
import type { Database } from "../../../server/db/database.ts";
import { issueStopToken } from "../../../server/notifications/stop-tokens.ts";
import { eventually } from "../eventually.ts";
import { Refusal, type Api } from "../http/api.ts";
import { applicationFor, bodyOf, orderAfter, randomAddress, rateOf, type Application } from "../scenarios/http-swap.ts";
import { launchData } from "../services/launch-data.ts";
import { browserKeys } from "../services/push-service.ts";
import type { ReadyCalls } from "./requests.ts";

/** The server takes push subscriptions at it; nobody listens there. */
export const PUSH_SERVICE = "http://127.0.0.1:9";
/** Worth some 150 USD: many rounds of them leave the sandbox's wallets enough. */
const AMOUNT = "0.05";
/** Another sum than a fixed order of that amount was made for. */
const WRONG_AMOUNT = "0.04";
const CODE = /Code: ([0-9A-Z]{8})/;
const PASSWORD = "a long enough phrase";

/**
 * Requests that the server accepts as they are, made before each round: what has to exist for them does. Orders wait for a choice only
 * some blocks after their deposit, so a round uses those of the round before.
 */
export class GuestCalls {
  private readonly api: Api;
  private readonly database: Pick<Database, "kysely">;
  private waiting: CoinOrder[] = [];
  private accounts = 0;

  constructor(api: Api, database: Pick<Database, "kysely">) {
    this.api = api;
    this.database = database;
  }

  async ready(): Promise<ReadyCalls> {
    const [refunded, accepted] = this.waiting;
    this.waiting = [await this.wronglyPaid(), await this.wronglyPaid()];
    await this.api.call("sandboxNetwork", { params: { networkTitle: "ETH" }, body: { mine: 4 } });
    const order = await this.api.call("createOrder", await somebodysApplication(this.api, { amount: AMOUNT }));
    const quoted = { instrumentFromSlug: "eth", instrumentToSlug: "usdt-erc20", claimedDepositAmount: AMOUNT };
    return {
      createOrder: [
        { body: bodyOf(await rateOf(this.api, { amount: AMOUNT })) },
        { body: bodyOf(await rateOf(this.api, { amount: AMOUNT, rateMode: "FIXED" })) },
      ],
      rate: [{ query: quoted }, { query: { ...quoted, claimedDepositAmountCurrency: "usdt-erc20" } }],
      recommendedAmount: [
        {
          query: {
            instrumentFromCurrencyTitle: "ETH",
            instrumentFromNetworkTitle: "ETH",
            instrumentToCurrencyTitle: "USDT",
            instrumentToNetworkTitle: "ETH",
          },
        },
      ],
      seoTexts: [{ body: { params: { page: "index", locale: "ru" } } }],
      setEmail: [{ body: { orderId: order.orderId, userEmail: `${randomUUID()}@mail.example` } }],
      subscribePush: [{ body: { ...keyOf(order), ...browser() } }],
      createByTelegram: [{ body: { initData: launch() } }],
      authenticateByTelegram: [{ body: { initData: await this.knownLaunch() } }],
      ...(await this.accountCalls()),
      ...(refunded && { requestRefund: [{ body: await this.refundOf(refunded) }] }),
      ...(accepted && { acceptRateModeChange: [{ body: keyOf(accepted) }] }),
      ...(await this.stopCall()),
    };
  }

  private async wronglyPaid(): Promise<CoinOrder> {
    const fixed = await somebodysApplication(this.api, { amount: AMOUNT, rateMode: "FIXED" });
    const order = await this.api.call("createOrder", fixed);
    await this.api.call("sandboxPay", { body: { orderId: order.orderId, amount: WRONG_AMOUNT } });
    return order;
  }

  /** Its figures are compared with those that were quoted. */
  private async refundOf(order: CoinOrder, refundAddress = order.refundAddress ?? randomAddress()) {
    const quoted = await this.api.call("refundInfo", { query: keyOf(order) });
    return {
      ...keyOf(order),
      refundAddress,
      refundAmount: quoted.refundAmountWithoutNetworkFee,
      claimedNetworkFee: quoted.networkFee,
    };
  }

  /** A refund to an address that was not given at the creation waits where its owner can be notified. */
  private async stopCall(): Promise<ReadyCalls> {
    const { body, headers } = await somebodysApplication(this.api, { amount: AMOUNT });
    const owned = { body: { ...body, userEmail: `${randomUUID()}@mail.example` }, headers };
    const order = await this.api.call("createOrder", owned);
    await this.api.call("sandboxPay", { body: { orderId: order.orderId } });
    await orderAfter(this.api, order, "INCOMING_FUNDS_DETECTED");
    try {
      await this.api.call("requestRefund", { body: await this.refundOf(order) });
    } catch (error) {
      // On a busy machine it may be paid out by now.
      if (error instanceof Refusal && error.httpStatus === 422) return {};
      throw error;
    }
    const token = await issueStopToken(this.database, order.orderId);
    return { stopRefund: [{ body: { orderId: order.orderId, token } }] };
  }

  /** An account with an email, and one that has forgotten its password. */
  private async accountCalls(): Promise<ReadyCalls> {
    this.accounts += 1;
    const email = `forgetful-${this.accounts}@mail.example`;
    const credentials = { email, password: PASSWORD };
    await this.send("createLocal", credentials);
    await this.send("requestPasswordReset", { email });
    const resetCode = await mailedCode(this.api, email);
    return {
      createLocal: [{ body: { email: `new-${this.accounts}@mail.example`, password: PASSWORD } }],
      authenticateLocal: [{ body: credentials }],
      resetPassword: [{ body: { ...credentials, resetCode } }],
    };
  }

  private async knownLaunch(): Promise<string> {
    const id = newTelegramId();
    await this.send("createByTelegram", { initData: launch(id) });
    return launch(id);
  }

  private send(name: "createLocal" | "requestPasswordReset" | "createByTelegram", body: object) {
    return this.api.call(name, { body: body as never, headers: { "x-forwarded-for": newAddress() } });
  }
}

type OwnCalls = { send: (method: string, path: string, body?: unknown) => Promise<{ text: string }>; api: Api };

/** Of somebody signed in: what needs a mailed code or an authenticator app. */
export async function codeCalls({ send, api }: OwnCalls): Promise<ReadyCalls> {
  const next = `${randomUUID()}@mail.example`;
  await send("POST", "/api/v1/users/local/change-email", { email: next });
  const begun: unknown = JSON.parse((await send("POST", "/api/v1/users/second-factor/begin", {})).text);
  const secret = typeof begun === "object" && begun !== null && "secret" in begun ? String(begun.secret) : null;
  const code = await mailedCode(api, next);
  return {
    confirmEmail: [{ by: "person", body: { code } }],
    ...(secret !== null && {
      confirmSecondFactor: [
        { by: "person", body: { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() } },
      ],
    }),
    linkTelegram: [{ by: "person", body: { initData: launch() } }],
    reauthenticate: [{ by: "person", body: { password: PASSWORD } }],
    changeEmail: [{ by: "person", body: { email: `${randomUUID()}@mail.example` } }],
    subscribeAccountPush: [{ by: "person", body: browser() }],
  };
}

const mailedCode = (api: Api, to: string): Promise<string> =>
  eventually(`a code for ${to}`, async () => {
    const mails = await api.call("sandboxMail", {});
    const codes = mails.flatMap(({ to: sentTo, text }) => (sentTo === to ? (CODE.exec(text)?.[1] ?? []) : []));
    return codes[0] ?? null;
  });

const keyOf = ({ orderId, destinationAddress }: CoinOrder) => ({ orderId, destinationAddress });

const browser = () => {
  const { endpoint, keys } = browserKeys(`${PUSH_SERVICE}/${randomUUID()}`);
  return { endpoint, keys, locale: "en" };
};

const newTelegramId = (): number => randomInt(1, 1_000_000_000);
/** A sign-in from Telegram, of somebody new unless it is said who. */
export const launch = (id = newTelegramId()): string =>
  launchData(SANDBOX_BOT_TOKEN, {
    auth_date: String(Math.floor(Date.now() / 1000)),
    user: JSON.stringify({ id }),
  });

/** Each of a client of its own: one client may leave few orders unpaid. */
export async function somebodysApplication(...asked: Parameters<typeof applicationFor>): Promise<Application> {
  const { body, headers } = await applicationFor(...asked);
  return { body, headers: { ...headers, "x-forwarded-for": newAddress() } };
}

/** Of a network of its own, whose limits nobody else uses up. */
export const newAddress = (): string =>
  `2001:db9:${randomInt(0xffff).toString(16)}:${randomInt(0xffff).toString(16)}::1`;
