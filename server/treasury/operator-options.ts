import { OperatorError, type Operator } from "./operator-audit.ts";

export type Options = Partial<Record<(typeof OPTIONS)[number], string>>;

const OPTIONS = ["as", "to", "memo", "order", "before", "older-than"] as const;

/** Separates the options of a command from its words. */
export function readOptions(given: readonly string[]): { words: string[]; options: Options } {
  const words: string[] = [];
  const options: Options = {};
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? "";
    const name = OPTIONS.find((known) => word === `--${known}`);
    if (name === undefined) words.push(word);
    else options[name] = given[(at += 1)] ?? "";
  }
  return { words, options };
}

/** Who gives a command, and why. Throws `OperatorError` where either is missing. */
export function readOperator({ as: name = "" }: Options, words: readonly string[]): Operator {
  const reason = words.join(" ").trim();
  if (name.trim() === "") throw new OperatorError("Say who you are: --as NAME.");
  if (reason === "") throw new OperatorError("Say why: whoever reads this later will want to know.");
  return { name: name.trim(), reason };
}
