import { OperatorError, readOperator, readOptions, recordAction, refuseArguments } from "../admin/index.ts";
import type { Catalogue } from "../catalogue/index.ts";
import type { Database } from "../db/database.ts";
import { inTransaction } from "../db/transaction.ts";
import { FILLED_DAYS } from "./backfill-prices.ts";
import { pricedOf } from "./coins.ts";
import { readPriceGaps } from "./gaps.ts";

export const PRICES_HELP = `npm run admin -- prices gaps
npm run admin -- prices refill <coin, such as btc, or *> REASON --as NAME`;

type Parts = { database: Database; catalogue: Pick<Catalogue, "instruments"> };

/** Shows the gaps of the price history, or has venues asked for them once more. Null for another command. Throws `OperatorError`. */
export async function runPricesCommand(
  { database, catalogue }: Parts,
  given: readonly string[],
): Promise<string | null> {
  if (given[0] !== "prices") return null;
  const { words, options } = readOptions(given.slice(1), ["as"]);
  const [action = "", coin = "", ...why] = words;
  if (action === "gaps") {
    refuseArguments(words.slice(1), PRICES_HELP);
    return listGaps(database);
  }
  if (action !== "refill" || coin === "") throw new OperatorError(PRICES_HELP);
  const operator = readOperator(options, why);
  const symbols = pricedOf(catalogue.instruments.values()).map(({ symbol }) => symbol);
  const chosen = coin === "*" ? symbols : symbols.filter((symbol) => symbol === coin.toLowerCase());
  if (chosen.length === 0) throw new OperatorError(`No coin of the catalogue has the symbol ${coin}.`);
  return inTransaction(database, async (transaction) => {
    const forgotten = await transaction
      .deleteFrom("price_backfills")
      .where("symbol", "in", chosen)
      .returning(["symbol", "prices", "filled_until"])
      .execute();
    const before = forgotten.map((row) => ({ ...row, filled_until: row.filled_until.toISOString() }));
    await recordAction(transaction, operator, {
      action: "prices refill",
      subject: `price history of ${coin.toLowerCase()}`,
      before: { filled: before },
      after: { filled: [] },
    });
    return `The worker asks the venues for what is missing of ${chosen.join(", ")} within an hour.`;
  });
}

async function listGaps(database: Database): Promise<string> {
  const dayOf = (at: Date) => at.toISOString().slice(0, "2026-01-01".length);
  const lines = (await readPriceGaps(database, FILLED_DAYS)).map(
    ({ symbol, first, last, missing }) => `${symbol}: ${dayOf(first)} to ${dayOf(last)}, ${missing} days missing`,
  );
  return lines.length > 0 ? lines.join("\n") : "no prices are stored";
}
