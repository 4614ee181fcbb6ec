import { CodedError } from "#contract/errors.ts";
import { CardProviderError, type CardProvider } from "../../card/port.ts";
import type { Database } from "../../db/database.ts";
import type { Log } from "../../base/logging/log.ts";
import { abandonCardOrder, findById, findByMerchantId, scheduleCardOrder, type CardOrderRow } from "./store.ts";
import { endAsDecided, expireUnpaid, takeNews, type NewsParts } from "./take-news.ts";

export type CardOrdersParts = NewsParts & { database: Database; cardProvider: CardProvider; log: Log };

/** What becomes of card orders: by signed callbacks, and by asking (contract §11). */
export type CardOrders = {
  takeCallback(rawBody: string, signature: string | null): Promise<void>;
  /** Asks the provider about one due row. */
  ask(id: bigint): Promise<void>;
};

export function createCardOrders(parts: CardOrdersParts): CardOrders {
  const { database, cardProvider, log } = parts;

  const takeCallback = async (rawBody: string, signature: string | null): Promise<void> => {
    const news = cardProvider.callback(rawBody, signature);
    if (news === "forged") throw new CodedError("ERR_UNAUTHORIZED", "The signature is not the card provider's");
    if (news === "unreadable")
      throw new CodedError("ERR_VALIDATION", "The request is not valid", { data: { payload: "has no known event" } });
    const row = await findByMerchantId(database, news.merchantId);
    if (row === null) throw new CodedError("ERR_NOT_FOUND", "There is no such order");
    // Its order is stored in a moment; the provider repeats what was not taken.
    if (row.phase === "opening" || row.phase === "abandoned")
      throw new CodedError("ERR_SERVICE_UNAVAILABLE", "The order is being opened", { retryAfterSeconds: 5 });
    try {
      await takeNews(parts, row, news, rawBody);
    } catch (error) {
      if (error instanceof CodedError)
        log.error({ err: error, orderId: row.orderId }, "the card provider reported an impossible state");
      throw error;
    }
  };

  const ask = async (id: bigint): Promise<void> => {
    const row = await findById(database, id);
    if (row === null) return;
    if (row.operatorEnd !== null) return endAsDecided(parts, row, row.operatorEnd);
    if (row.phase === "ended") return;
    if (row.phase !== "open") return abandonCardOrder(database, row.orderId);
    try {
      const news = await cardProvider.status(row.merchantId, row.direction);
      if (news !== null) await takeNews(parts, row, news);
      await expireIfUnpaid(row);
    } catch (error) {
      if (!(error instanceof CardProviderError)) throw error;
      log.warn({ err: error, orderId: row.orderId }, "the card provider can't say how an order stands");
      await scheduleCardOrder(database.kysely, id, parts.askSeconds);
    }
  };

  /** Only right after the provider has said that it is not paid. */
  const expireIfUnpaid = async (row: CardOrderRow): Promise<void> => {
    const now = await findById(database, row.id);
    if (now?.phase === "open") await expireUnpaid(parts, row);
  };

  return { takeCallback, ask };
}
