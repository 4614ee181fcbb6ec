import * as z from "zod";
import { formatAmount } from "#contract/money.ts";
import { CardTokenError, type CardOpening, type CardRequest } from "../port.ts";
import { MercuryoRefusal, type MercuryoHttp } from "./http.ts";
import { networkQuery, sidesOf } from "./networks.ts";

/** A rate that is held: a purchase's `buy_token` and a sale's `sell_token` are called `trx_token` since 2023. */
const heldRate = z
  .object({ trx_token: z.string().optional(), buy_token: z.string().optional(), sell_token: z.string().optional() })
  .transform(({ trx_token, buy_token, sell_token }) => trx_token ?? buy_token ?? sell_token ?? "")
  .pipe(z.string().min(1).max(8192));
/** One rate for each payment method that was asked for. */
const heldRatesSchema = z.union([
  heldRate,
  z
    .array(heldRate)
    .min(1)
    .transform(([first = ""]) => first),
]);

const url = z.url({ protocol: /^https?$/ }).max(8192);
const openedSchema = z.object({
  merchant_transaction_id: z.string(),
  id: z.string().max(256).nullish(),
  redirect_url: url.nullish(),
  init_token: z.string().max(8192).nullish(),
  /** Of a sale: where the coins are sent. */
  address: z.string().max(256).nullish(),
  address_memo: z.string().max(256).nullish(),
});

/** What verification is called where it is missing. */
const NEEDS_VERIFICATION = /kyc|verif/i;

/** Holds a rate and opens a purchase or a sale under our own id. A lost answer is unknown (engine law 6). */
export async function openCard(http: MercuryoHttp, pages: string, request: CardRequest): Promise<CardOpening> {
  const { pair, token, merchantId } = request;
  const { direction, coin } = pair;
  const [from, to] = sidesOf(pair);
  try {
    const held = await http.call("GET", `b2b/oor/${direction}-rates`, heldRatesSchema, {
      token,
      query: {
        from: from.currencyTitle,
        to: to.currencyTitle,
        amount_from: formatAmount(request.amountFrom, from.decimals),
        payment_alias: "card",
        ...networkQuery(coin),
      },
    });
    const opened = await http.call("POST", `b2b/oor/${direction}`, openedSchema, {
      token,
      body: {
        trx_token: held,
        merchant_transaction_id: merchantId,
        return_url: request.returnUrl,
        lang: request.locale,
        ...(request.address !== null && { address: request.address }),
        ...(request.memo !== null && { address_memo: request.memo }),
      },
    });
    return openingOf(opened, pages, request);
  } catch (error) {
    if (error instanceof MercuryoRefusal)
      return NEEDS_VERIFICATION.test(error.providerMessage)
        ? { kind: "verification_needed" }
        : { kind: "refused", reason: error.message };
    if (error instanceof CardTokenError) return { kind: "refused", reason: error.message };
    return { kind: "unknown", reason: error instanceof Error ? error.message : "unknown" };
  }
}

function openingOf(
  opened: z.output<typeof openedSchema>,
  pages: string,
  { pair: { direction }, merchantId, returnUrl, locale }: CardRequest,
): CardOpening {
  if (opened.merchant_transaction_id !== merchantId) return { kind: "unknown", reason: "it answers for another order" };
  const redirectUrl = opened.redirect_url ?? paymentPage(pages, direction, opened.init_token, { returnUrl, locale });
  if (redirectUrl === null) return { kind: "unknown", reason: "it names no page to pay at" };
  const { address = null, address_memo: memo = null } = opened;
  if (direction === "sell" && address === null) return { kind: "unknown", reason: "it names no address for the coins" };
  return {
    kind: "opened",
    order: {
      reference: opened.id ?? merchantId,
      redirectUrl,
      deposit: direction === "sell" && address !== null ? { address, memo } : null,
    },
  };
}

/** `https://payments.mercuryo.io/buy?init_token=…` (BAAS API, "Buy card"). */
function paymentPage(
  pages: string,
  direction: string,
  initToken: string | null | undefined,
  { returnUrl, locale }: { returnUrl: string; locale: string },
): string | null {
  if (initToken == null) return null;
  const page = new URL(`${pages}/${direction}`);
  page.searchParams.set("init_token", initToken);
  page.searchParams.set("lang", locale);
  page.searchParams.set("success_url", returnUrl);
  page.searchParams.set("failure_url", returnUrl);
  return page.href;
}
