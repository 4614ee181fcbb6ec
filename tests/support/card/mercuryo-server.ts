import { createHmac } from "node:crypto";
import { type Asked, PartnerServer, type Reply } from "../partners/partner-server.ts";

type User = { email: string; token: string; isConfirmed: boolean; kyc: string };
export type Transaction = {
  id: string;
  merchantId: string;
  direction: string;
  type: string;
  status: string;
  coin: string;
  coinAmount: string;
  fiat: string;
  fiatAmount: string;
  txId: string | null;
};

export const SIGN_KEY = "sign key of a test";
const ok = (data: unknown): Reply => ({ status: 200, body: { status: 200, data } });
const refuse = (status: number, code: number, message: string): Reply => ({ status, body: { status, code, message } });

/** A local Mercuryo by its public documents (Widget API v1.6 and BAAS API): 1 LTC is 100 USD, and 4 % are its fee. */
export class MercuryoServer extends PartnerServer {
  readonly users = new Map<string, User>();
  readonly transactions: Transaction[] = [];

  options() {
    const keys = { widgetId: "w-1", secret: SIGN_KEY, partnerToken: "partner token", feeBps: 50n };
    return { url: this.url, pagesUrl: "https://pay.example", ...keys };
  }

  reply({ path, query, headers, body }: Asked): Reply {
    if (headers["sdk-partner-token"] !== "partner token") return refuse(403, 403001, "Access denied");
    const given = (body ?? {}) as Record<string, string>;
    const user = [...this.users.values()].find(({ token }) => token === headers["b2b-bearer-token"]);
    const [, kind = ""] = /(buy|sell)/.exec(path) ?? [];
    switch (path) {
      case "public/currency-limits":
        return ok({ USD: { min: "30", max: "10000" }, LTC: { min: "0.3", max: "100" } });
      case "widget/rates/fee-off":
        return ok({ buy: { LTC: { USD: "100.0" } }, sell: { LTC: { USD: "100.0" } } });
      case "widget/buy/rate":
      case "widget/sell/rate":
        return ok(this.#rate(kind, query.get("amount") ?? "0"));
      case "b2b/oor/buy-rates":
      case "b2b/oor/sell-rates": {
        if (user === undefined) return refuse(401, 401000, "Unauthorized");
        const rate = this.#rate(kind, query.get("amount_from") ?? "0");
        return ok([{ trx_token: JSON.stringify(rate), ...rate }]);
      }
      case "b2b/oor/buy":
      case "b2b/oor/sell":
        return user === undefined ? refuse(401, 401000, "Unauthorized") : this.#open(kind, given);
      case "widget/transactions": {
        const found = this.transactions.filter(({ merchantId }) => merchantId === query.get("merchant_transaction_id"));
        return ok(found.map((one) => ({ [one.type]: operationOf(one) })));
      }
      case "b2b/user/sign-up": {
        const { email = "" } = given;
        if (this.users.has(email)) return refuse(400, 400101, "User already registered");
        this.users.set(email, { email, token: `token of ${email}`, isConfirmed: false, kyc: "incomplete" });
        return ok({ key: "k", resend_timeout: 60, code_length: 6 });
      }
      case "b2b/user/sign-in": {
        const known = this.users.get(given["email"] ?? "");
        return known === undefined ? refuse(404, 403004, "User not found.") : ok({ bearer_token: known.token });
      }
      default:
        return user === undefined ? refuse(401, 401000, "Unauthorized") : this.#ofUser(path, user);
    }
  }

  #ofUser(path: string, { email, isConfirmed, kyc }: User): Reply {
    if (path === "b2b/user/contacts") return ok({ email, email_status: isConfirmed ? "confirmed" : "not_confirmed" });
    if (path === "b2b/user/kyc-status") return ok({ features: [{ feature: "crypto", status: kyc }] });
    if (path === "b2b/kyc/access-token") return ok({ kyc_access_token: `kyc of ${email}`, applicant_id: "a-1" });
    return refuse(404, 404000, "Not found");
  }

  #rate(kind: string, amount: string) {
    const [coinAmount, fiatAmount] =
      kind === "buy"
        ? [(Math.round(Number(amount) * 96_0000) / 1_0000_0000).toFixed(8), amount]
        : [amount, (Math.floor(Number(amount) * 9_600) / 100).toFixed(2)];
    return { currency: "LTC", amount: coinAmount, fiat_currency: "USD", fiat_amount: fiatAmount };
  }

  /** A second opening under the same id is refused, as an id must be unique. */
  #open(direction: string, given: Record<string, string>): Reply {
    const merchantId = given["merchant_transaction_id"] ?? "";
    if (this.transactions.some((one) => one.merchantId === merchantId))
      return refuse(400, 400000, "merchant_transaction_id must be unique");
    const held = JSON.parse(given["trx_token"] ?? "{}") as { amount: string; fiat_amount: string };
    const id = `m${this.transactions.length + 1}`;
    this.transactions.push({
      id,
      merchantId,
      direction,
      type: direction === "buy" ? "buy" : "deposit",
      status: "new",
      coin: "LTC",
      coinAmount: held.amount,
      fiat: "USD",
      fiatAmount: held.fiat_amount,
      txId: null,
    });
    const page = `https://pay.example/${direction}?init_token=i-${id}`;
    return ok({
      id,
      merchant_transaction_id: merchantId,
      redirect_url: page,
      ...(direction === "sell" && { address: `provider-${id}` }),
    });
  }
}

const operationOf = ({ id, status, merchantId, coin, coinAmount, fiat, fiatAmount, txId }: Transaction) => ({
  id,
  status,
  merchant_transaction_id: merchantId,
  currency: coin,
  amount: coinAmount,
  fiat_currency: fiat,
  fiat_amount: fiatAmount,
  tx: { id: txId, address: "a" },
});

/** The callback that a transaction sends as it stands, and its signature. */
export function callbackOf(transaction: Transaction, changes: Record<string, unknown> = {}) {
  const data = { ...operationOf(transaction), type: transaction.type, ...changes };
  const body = JSON.stringify({ payload: { data } });
  return { body, signature: createHmac("sha256", SIGN_KEY).update(body).digest("hex") };
}
