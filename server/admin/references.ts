import { NETWORK_TITLES } from "#contract/network-titles.ts";
import { OperatorError } from "./audit.ts";

const REFERENCE = /^([0-9A-HJKMNP-TV-Z]{4})-?([0-9A-HJKMNP-TV-Z]{4})$/;
const MISREAD: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1" };

/** A reference as it is stored, whatever case it was written in and with or without its hyphen; anything else, such as an id, as given. */
export function storedReference(order: string): string {
  const letters = order.toUpperCase().replace(/[OIL]/g, (letter) => MISREAD[letter] ?? letter);
  const [, first, second] = REFERENCE.exec(letters) ?? [];
  return first === undefined || second === undefined ? order : `${first}-${second}`;
}

/** What a command says of a reference or id that no order has. */
export const noSuchOrder = (named: string): OperatorError => new OperatorError(`There is no order ${named}.`);

/** The title of a network as it is stored, whatever case it was written in; anything else as given. */
export const storedNetwork = (word: string): string =>
  NETWORK_TITLES.find((title) => title === word.toUpperCase()) ?? word;
