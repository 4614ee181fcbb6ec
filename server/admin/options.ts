import { parseArgs } from "node:util";
import { OperatorError, type Operator } from "./audit.ts";

export type Options = Partial<Record<(typeof OPTIONS)[number], string>> &
  Partial<Record<(typeof FLAGS)[number], boolean>>;
export type OptionName = keyof Options;

const FLAGS = [
  "unmeasured",
  "as-is",
  "pays-again",
  "gone",
  "adjusted",
  "unfunded",
  "unpaid",
  "unconfirmed",
  "from-credits",
] as const;
const OPTIONS = ["as", "to", "memo", "order", "before", "older-than", "transaction", "amount", "holds"] as const;

/** Separates a command's options from its words. Throws `OperatorError` for one that it doesn't take, or that has no value. */
export function readOptions(
  given: readonly string[],
  taken: readonly OptionName[] = ["as"],
): { words: string[]; options: Options } {
  const kinds = Object.fromEntries(
    taken.map((name) => [
      name,
      { type: FLAGS.some((flag) => flag === name) ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  try {
    const { positionals, values } = parseArgs({
      args: [...given],
      options: kinds,
      allowPositionals: true,
      strict: true,
    });
    return { words: positionals, options: values };
  } catch (error) {
    throw new OperatorError(refusal(String(error)), { cause: error });
  }
}

/** What is wrong with an option, without what only a program understands. */
function refusal(error: string): string {
  const [, name] = /'(--?[^\s'=]+)/.exec(error) ?? [];
  if (name === undefined) return error;
  if (error.includes("Unknown option")) return `This command has no option ${name}; no other word begins with a dash.`;
  if (error.includes("does not take")) return `${name} takes no value.`;
  return `${name} needs a value, which does not begin with a dash.`;
}

/** The number of a row. Throws `OperatorError`, with the commands that take one. */
export function readId(word: string | undefined, help: string): bigint {
  if (!/^[1-9]\d{0,17}$/.test(word ?? "")) throw new OperatorError(`"${word ?? ""}" is no id.\n${help}`);
  return BigInt(word ?? "");
}

/** Throws `OperatorError` for words that a command doesn't take. */
export function refuseArguments(words: readonly string[], help: string): void {
  if (words.length > 0) throw new OperatorError(`"${words.join(" ")}" says nothing here.\n${help}`);
}

/** Who gives a command, and why. Throws `OperatorError` where either is missing. */
export function readOperator({ as: name = "" }: Options, words: readonly string[]): Operator {
  const reason = words.join(" ").trim();
  if (name.trim() === "") throw new OperatorError("Say who you are: --as NAME.");
  // Two names that read alike would let one person confirm what they proposed.
  if (/[^\p{L}\p{M}\p{N}\p{P}\p{S} ]|\p{Default_Ignorable_Code_Point}/u.test(name.trim()))
    throw new OperatorError("The name has characters that nobody sees: write it with letters and digits.");
  if (reason === "") throw new OperatorError("Give a reason.");
  return { name: name.trim(), reason };
}
