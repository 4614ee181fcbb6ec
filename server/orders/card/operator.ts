import type { Database } from "../../db/database.ts";
import { OperatorError, readOperator, readOptions } from "../../admin/index.ts";
import { closeCardReview, confirmCardEnd, proposeCardEnd } from "./card-review.ts";

export const CARD_HELP = `npm run admin -- card close <reference or id of an order> REASON --as NAME
npm run admin -- card <done|refunded> <reference or id of an order> REASON --as NAME
npm run admin -- card confirm <reference or id of an order> REASON --as ANOTHER`;

/** Runs a command on a card order in review. Null for another command. Throws `OperatorError`. */
export async function runCardCommand(database: Database, given: readonly string[]): Promise<string | null> {
  if (given[0] !== "card") return null;
  const { words, options } = readOptions(given.slice(1));
  const [command, order = "", ...why] = words;
  const operator = readOperator(options, why);
  switch (command) {
    case "close":
      await closeCardReview(database, operator, order);
      return `card order ${order}: closed by ${operator.name}. A worker ends its review.`;
    case "done":
    case "refunded":
      await proposeCardEnd(database, operator, order, command);
      return `card order ${order}: ${command}, proposed by ${operator.name}. Somebody else confirms it with "card confirm ${order} REASON --as NAME".`;
    case "confirm":
      await confirmCardEnd(database, operator, order);
      return `card order ${order}: confirmed by ${operator.name}. A worker goes on with it.`;
    default:
      throw new OperatorError(`"card ${command ?? ""}" is no command.\n${CARD_HELP}`);
  }
}
