import { sql } from "kysely";
import { CARD_SIGNATURE_HEADER, type CardState } from "#contract/card.ts";
import { CodedError } from "#contract/errors.ts";
import { divideDown, divideUp, formatAmount, powerOfTen, WHOLE_BPS } from "#contract/money.ts";
import { cardCalls } from "#contract/calls/card.ts";
import type { Log } from "../../base/logging/log.ts";
import { mercuryoNetworkOf, mercuryoSignature } from "../../card/index.ts";
import { PRICE_DECIMALS, type Catalogue, type CatalogueInstrument } from "../../catalogue/index.ts";
import { addressSpaceOf, type NetworkReader } from "../../chains/port.ts";
import { takeDepositIndexes } from "../../db/backup/deposit-indexes.ts";
import type { Database } from "../../db/database.ts";
import type { SandboxNetworks } from "../port.ts";
import { operationOf } from "./operations.ts";
import type { SandboxCardStore, SandboxTransaction } from "./store.ts";

/** What the sandbox's provider takes of what is charged, and its limits, in hundredths of a percent and in whole units of the fiat. */
const PROCESSING_BPS = 360n;
const PARTNER_BPS = 50n;
const MIN_FIAT = 30n;
const MAX_FIAT = 10_000n;
/** From this moment on a card that was charged goes on by itself. */
const STEP_MS = 1_500;
const CALLBACK_TRIES = 3;

export type SandboxProviderParts = {
  database: Database;
  store: SandboxCardStore;
  catalogue: Catalogue;
  networks: SandboxNetworks;
  readers: ReadonlyMap<string, NetworkReader>;
  priceUsd(slug: string): bigint | null;
  /** Where this site answers on this machine. */
  apiUrl: string;
  /** Signs callbacks. */
  secret: string;
  log: Log;
};

export type SandboxProvider = ReturnType<typeof createSandboxProvider>;

/** From which states one comes; a state never goes back. */
const BEFORE: Readonly<Record<CardState, readonly CardState[]>> = {
  opened: [],
  paid: ["opened"],
  sending: ["opened", "paid"],
  done: ["opened", "paid", "sending"],
  cancelled: ["opened", "paid"],
  failed: ["opened", "paid", "sending"],
  refunded: ["opened", "paid", "sending"],
};

/** A card provider of the sandbox: it speaks Mercuryo's protocol, takes test cards and pays with the sandbox's own coins. */
export function createSandboxProvider(parts: SandboxProviderParts) {
  const { database, store, catalogue, networks, readers, log } = parts;

  const instrumentOf = (currency: string, network: string | null): CatalogueInstrument => {
    const found = [...catalogue.instruments.values()].find(
      (one) =>
        one.currencyTitle === currency &&
        (one.instrumentType === "fiat" || (one.isActive && (network === null || mercuryoNetworkOf(one) === network))),
    );
    if (found === undefined) throw new CodedError("ERR_VALIDATION", "Unable to find currency options");
    return found;
  };

  /** What a coin costs in the fiat currency, scaled. */
  const clearRate = (coin: CatalogueInstrument, fiat: CatalogueInstrument): bigint => {
    const [coinUsd, fiatUsd] = [parts.priceUsd(coin.slug), parts.priceUsd(fiat.slug)];
    if (coinUsd === null || fiatUsd === null)
      throw new CodedError("ERR_SERVICE_UNAVAILABLE", "try later", { retryAfterSeconds: 3 });
    return divideDown(coinUsd * powerOfTen(PRICE_DECIMALS), fiatUsd);
  };

  /** Coins for money, or money for coins; both of the fees are of the money that the card is charged, or that the coins are worth. */
  const convert = (
    direction: "buy" | "sell",
    coin: CatalogueInstrument,
    fiat: CatalogueInstrument,
    amount: bigint,
  ): bigint => {
    const rate = clearRate(coin, fiat);
    const scale = powerOfTen(PRICE_DECIMALS + coin.decimals - fiat.decimals);
    const less = (money: bigint) => money - divideUp(money * (PROCESSING_BPS + PARTNER_BPS), WHOLE_BPS);
    if (direction === "sell") return less(divideDown(amount * rate, scale));
    const coins = divideDown(less(amount) * scale, rate);
    const unit = coin.decimals > 8 ? powerOfTen(coin.decimals - 8) : 1n;
    return divideDown(coins, unit) * unit;
  };

  const limits = (coin: CatalogueInstrument, fiat: CatalogueInstrument) => {
    const rate = clearRate(coin, fiat);
    const inCoin = (money: bigint, divide: typeof divideDown) => {
      const exact = divide(money * powerOfTen(PRICE_DECIMALS + coin.decimals), rate);
      const digits = exact.toString().length;
      const unit = powerOfTen(Math.max(0, digits - 3));
      return formatAmount(divide(exact, unit) * unit, coin.decimals);
    };
    return {
      [fiat.currencyTitle]: { min: `${MIN_FIAT}`, max: `${MAX_FIAT}` },
      [coin.currencyTitle]: { min: inCoin(MIN_FIAT, divideUp), max: inCoin(MAX_FIAT, divideDown) },
    };
  };

  const depositAddress = async ({ networkTitle }: CatalogueInstrument) => {
    const reader = readers.get(networkTitle);
    if (reader === undefined) throw new CodedError("ERR_NETWORK_NOT_SUPPORTED", `${networkTitle} is not supported now`);
    const [index] = await takeDepositIndexes(database, addressSpaceOf(reader), 1);
    if (index === undefined) throw new Error("no index of an address was left");
    return reader.depositAddress(index);
  };

  const describe = (transaction: SandboxTransaction) => {
    const coin = requireSlug(catalogue, transaction.slug);
    const fiat = requireSlug(catalogue, transaction.fiat);
    return operationOf(transaction, { coin, fiat });
  };

  const callBack = async (transaction: SandboxTransaction): Promise<void> => {
    const { type, operation } = describe(transaction);
    const body = JSON.stringify({ payload: { data: { ...operation, type } } });
    const headers = {
      "content-type": "application/json",
      [CARD_SIGNATURE_HEADER]: mercuryoSignature(body, parts.secret),
    };
    for (let left = CALLBACK_TRIES; left > 0; left -= 1) {
      try {
        const reply = await fetch(`${parts.apiUrl}${cardCalls.cardCallback.path}`, { method: "POST", headers, body });
        await reply.arrayBuffer();
        if (reply.ok) return;
      } catch (error) {
        log.warn({ err: error }, "the sandbox's card provider could not call back");
      }
    }
  };

  const move = async (
    transaction: SandboxTransaction,
    to: CardState,
    { isCallbackLost = false, txId = null }: { isCallbackLost?: boolean; txId?: string | null } = {},
  ): Promise<SandboxTransaction | null> => {
    const sent = to === "done" && transaction.direction === "buy" ? await send(transaction) : txId;
    const moved = await store.move(transaction.id, to, BEFORE[to], sent);
    if (moved !== null && !isCallbackLost) await callBack(moved);
    return moved;
  };

  /** Pays what was bought, with a real transaction where the network is real. */
  const send = async ({ slug, address, memo, coinAmount, state }: SandboxTransaction): Promise<string | null> => {
    if (!BEFORE.done.includes(state)) return null;
    const network = networks.get(requireSlug(catalogue, slug).networkTitle);
    if (network === undefined) return null;
    return (await network.pay({ address, memo, slug, amount: coinAmount })).txId;
  };

  /** Goes on until it is done, a step after the other. */
  const goOn = async (transaction: SandboxTransaction, first: CardState, txId: string | null = null): Promise<void> => {
    const moved = await move(transaction, first, { txId });
    const next = first === "paid" ? "sending" : first === "sending" ? "done" : null;
    if (moved === null || next === null) return;
    setTimeout(() => {
      goOn(moved, next).catch((error: unknown) => log.warn({ err: error }, "a card order of the sandbox stands still"));
    }, STEP_MS).unref();
  };

  return {
    store,
    instrumentOf,
    clearRate,
    convert,
    limits,
    depositAddress,
    describe,
    move,
    goOn,
    catalogue,
    /** By the id of our order; null where none was opened for it. */
    async transactionOf(orderId: string): Promise<SandboxTransaction | null> {
      const { rows } = await sql<{ merchant: string }>`
        select merchant_id || '-' || opened_attempt as merchant from card_orders where order_id = ${orderId} and opened_attempt is not null`.execute(
        database.kysely,
      );
      return rows[0] === undefined ? null : store.byMerchantId(rows[0].merchant);
    },
  };
}

function requireSlug(catalogue: Catalogue, slug: string): CatalogueInstrument {
  const found = catalogue.instruments.get(slug);
  if (found === undefined) throw new Error(`${slug} has left the catalogue`);
  return found;
}
