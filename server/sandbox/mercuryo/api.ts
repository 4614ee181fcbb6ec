import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { CRYPTO_FEATURE, EMAIL_CONFIRMED } from "#contract/card.ts";
import { formatAmount, parseAmount } from "#contract/money.ts";
import { randomHex } from "../../base/secrets.ts";
import type { SandboxProvider } from "./provider.ts";
import type { SandboxUser } from "./store.ts";

export const SANDBOX_PROVIDER_PATH = "/sandbox/mercuryo";
export const SANDBOX_PROVIDER_API = `${SANDBOX_PROVIDER_PATH}/v1.6`;

const amount = z.string().regex(/^\d{1,20}(?:\.\d{1,18})?$/);
const rateQuery = z.object({ from: z.string(), to: z.string(), amount, network: z.string().optional() });
const heldQuery = z.object({ from: z.string(), to: z.string(), amount_from: amount, network: z.string().optional() });
const limitsQuery = z.object({
  from: z.string(),
  to: z.string(),
  type: z.enum(["buy", "sell"]),
  network: z.string().optional(),
});
const openBody = z.object({
  trx_token: z.string(),
  merchant_transaction_id: z.string().min(1).max(255),
  return_url: z.url(),
  lang: z.string().optional(),
  address: z.string().max(256).optional(),
  address_memo: z.string().max(256).optional(),
});
const heldSchema = z.object({
  direction: z.enum(["buy", "sell"]),
  slug: z.string(),
  fiat: z.string(),
  coinAmount: z.string(),
  fiatAmount: z.string(),
});
const emailBody = z.object({ email: z.email(), accept: z.literal(true).optional() });

class Refused extends Error {
  readonly httpStatus: number;
  readonly code: number;

  constructor(httpStatus: number, code: number, message: string) {
    super(message);
    this.httpStatus = httpStatus;
    this.code = code;
  }
}

export type SandboxApiParts = {
  provider: SandboxProvider;
  partnerToken: string;
  publicUrl: string;
  /** Mails a user of the provider. */
  mail(to: string, subject: string, text: string): Promise<void>;
};

/** The calls of Mercuryo's documents that the adapter makes, answered by the sandbox. */
export function addSandboxProviderApi(app: FastifyInstance, parts: SandboxApiParts): void {
  const { provider, partnerToken, publicUrl, mail } = parts;
  const { store } = provider;
  type Handler = (request: FastifyRequest) => Promise<unknown>;

  const add = (method: "GET" | "POST", path: string, handler: Handler) =>
    app.route({
      method,
      url: `${SANDBOX_PROVIDER_API}/${path}`,
      config: { isUncounted: true },
      schema: { hide: true },
      handler: async (request, reply) => answer(request, reply, handler),
    });

  const answer = async (request: FastifyRequest, reply: FastifyReply, handler: Handler) => {
    try {
      if (request.headers["sdk-partner-token"] !== partnerToken) throw new Refused(403, 403001, "Access denied");
      return await reply.type("application/json").send(JSON.stringify({ status: 200, data: await handler(request) }));
    } catch (error) {
      const refused = error instanceof z.ZodError ? new Refused(400, 400000, "Validation error") : error;
      if (!(refused instanceof Refused)) throw error;
      const { httpStatus, code, message } = refused;
      return reply
        .code(httpStatus)
        .type("application/json")
        .send(JSON.stringify({ status: httpStatus, code, message }));
    }
  };

  const userOf = async ({ headers }: FastifyRequest): Promise<SandboxUser> => {
    const token = headers["b2b-bearer-token"];
    const user = typeof token === "string" ? await store.userByToken(token) : null;
    if (user === null) throw new Refused(401, 401000, "Unauthorized");
    return user;
  };

  const pairOf = (from: string, to: string, direction: "buy" | "sell", network: string | undefined) => {
    const [fiat, coin] = direction === "buy" ? [from, to] : [to, from];
    return { fiat: provider.instrumentOf(fiat, null), coin: provider.instrumentOf(coin, network ?? null) };
  };

  const converted = (direction: "buy" | "sell", query: z.output<typeof rateQuery>) => {
    const { fiat, coin } = pairOf(query.from, query.to, direction, query.network);
    const [from, to] = direction === "buy" ? [fiat, coin] : [coin, fiat];
    const given = parseAmount(query.amount, from.decimals);
    if (given === null || given <= 0n) throw new Refused(400, 403013, "Amount cannot be blank");
    const { min, max } = provider.limits(coin, fiat)[from.currencyTitle] ?? { min: "0", max: "0" };
    const bound = (text: string) => parseAmount(text, from.decimals) ?? 0n;
    if (given < bound(min) || given > bound(max)) throw new Refused(400, 500002, "amount off limits");
    const result = provider.convert(direction, coin, fiat, given);
    const [coinAmount, fiatAmount] = direction === "buy" ? [result, given] : [given, result];
    return { fiat, coin, from, to, coinAmount, fiatAmount };
  };

  for (const direction of ["buy", "sell"] as const) {
    add("GET", `widget/${direction}/rate`, async ({ query }) => {
      const made = converted(direction, rateQuery.parse(query));
      return {
        currency: made.coin.currencyTitle,
        amount: formatAmount(made.coinAmount, made.coin.decimals),
        fiat_currency: made.fiat.currencyTitle,
        fiat_amount: formatAmount(made.fiatAmount, made.fiat.decimals),
      };
    });
    add("GET", `b2b/oor/${direction}-rates`, async (request) => {
      await userOf(request);
      const { amount_from, ...query } = heldQuery.parse(request.query);
      const made = converted(direction, { ...query, amount: amount_from });
      const held = {
        direction,
        slug: made.coin.slug,
        fiat: made.fiat.slug,
        coinAmount: `${made.coinAmount}`,
        fiatAmount: `${made.fiatAmount}`,
      };
      return [{ trx_token: Buffer.from(JSON.stringify(held)).toString("base64url") }];
    });
    add("POST", `b2b/oor/${direction}`, async (request) => {
      const user = await userOf(request);
      const body = openBody.parse(request.body);
      const held = heldSchema.parse(JSON.parse(Buffer.from(body.trx_token, "base64url").toString()));
      const coin = provider.catalogue.instruments.get(held.slug);
      if (coin === undefined || held.direction !== direction) throw new Refused(400, 403015, "Invalid payment flow");
      if (direction === "buy" && body.address === undefined) throw new Refused(400, 400000, "Validation error");
      const to =
        direction === "buy"
          ? { address: body.address ?? "", memo: body.address_memo ?? null }
          : await provider.depositAddress(coin);
      const opened = await store.open({
        merchantId: body.merchant_transaction_id,
        direction,
        email: user.email,
        slug: held.slug,
        fiat: held.fiat,
        coinAmount: BigInt(held.coinAmount),
        fiatAmount: BigInt(held.fiatAmount),
        address: to.address,
        memo: to.memo,
        returnUrl: body.return_url,
      });
      return {
        id: opened.id,
        merchant_transaction_id: opened.merchantId,
        redirect_url: `${publicUrl}${SANDBOX_PROVIDER_PATH}/${direction}?init_token=${opened.initToken}&lang=${body.lang ?? "en"}`,
        ...(direction === "sell" && { address: opened.address, address_memo: opened.memo }),
      };
    });
  }

  add("GET", "public/currency-limits", async ({ query }) => {
    const asked = limitsQuery.parse(query);
    const { fiat, coin } = pairOf(asked.from, asked.to, "buy", asked.network);
    return provider.limits(coin, fiat);
  });
  add("GET", "widget/rates/fee-off", async () => {
    const all = [...provider.catalogue.instruments.values()];
    const fiats = all.filter(({ instrumentType }) => instrumentType === "fiat");
    const table = Object.fromEntries(
      all
        .filter(({ isActive, instrumentType }) => isActive && instrumentType !== "fiat")
        .map((coin) => [
          coin.currencyTitle,
          Object.fromEntries(
            fiats.map((fiat) => [fiat.currencyTitle, formatAmount(provider.clearRate(coin, fiat), RATE_DECIMALS)]),
          ),
        ]),
    );
    return { buy: table, sell: table };
  });
  add("GET", "widget/transactions", async ({ query }) => {
    const { merchant_transaction_id: merchantId } = z.object({ merchant_transaction_id: z.string() }).parse(query);
    const found = await store.byMerchantId(merchantId);
    if (found === null) return [];
    const { type, operation } = provider.describe(found);
    return [{ [type]: operation }];
  });

  add("POST", "b2b/user/sign-up", async ({ body }) => {
    const user = await store.register(emailBody.parse(body).email);
    if (user === null) throw new Refused(400, 400101, "User already registered");
    const link = `${publicUrl}${SANDBOX_PROVIDER_PATH}/email?token=${user.emailToken}`;
    await mail(
      user.email,
      "Confirm your email for Mercuryo (sandbox)",
      `The sandbox's card provider asks you to confirm your email: ${link}`,
    );
    return { key: randomHex(8), resend_timeout: 60, code_length: 6 };
  });
  add("POST", "b2b/user/sign-in", async ({ body }) => {
    const user = await store.userByEmail(emailBody.parse(body).email);
    if (user === null) throw new Refused(404, 403004, "User not found.");
    return { user_uuid4: user.token.slice(0, 8), bearer_token: user.token };
  });
  add("GET", "b2b/user/contacts", async (request) => {
    const { email, isEmailConfirmed } = await userOf(request);
    return { email, email_status: isEmailConfirmed ? EMAIL_CONFIRMED : "not_confirmed" };
  });
  add("GET", "b2b/user/kyc-status", async (request) => {
    const { kycStatus } = await userOf(request);
    return { features: [{ feature: CRYPTO_FEATURE, status: kycStatus }] };
  });
  add("GET", "b2b/kyc/access-token", async (request) => {
    const { email } = await userOf(request);
    return { kyc_access_token: await store.beginKyc(email), applicant_id: `sandbox-${randomHex(6)}` };
  });
}

const RATE_DECIMALS = 18;
