import { formatAmount, parseAmount } from "#contract/money.ts";
import { backsOff } from "../../db/job-failures.ts";
import { requireInstrument, type Catalogue } from "../../catalogue/index.ts";
import { confirmAdjustment, proposeAdjustment, withdrawAdjustment } from "./adjustments.ts";
import {
  type Operator,
  OperatorError,
  type OptionName,
  type Options,
  readId,
  readOperator,
  readOptions,
  refuseArguments,
  storedNetwork,
} from "../../admin/index.ts";
import { creditDeposit, refundDeposit, writeOffDeposit } from "./deposits.ts";
import { retryJob } from "./job-retry.ts";
import { listHeld, type HeldDetail } from "./held.ts";
import { readRecipient, type RecipientParts } from "./recipient.ts";
import { expectTopUp, cancelTopUp, proposeSurplusEnd } from "./surplus-commands.ts";
import { proposeHeldSweepWriteOff, proposeSweepWriteOff, retrySweep } from "./sweep-write-off.ts";
import {
  acceptPayout,
  confirmPayout,
  findRefundNetwork,
  refundInsteadOfPayout,
  releasePayout,
  replacePayout,
  retryPayout,
} from "./payouts.ts";

export const HELD_HELP = `npm run admin -- held
npm run admin -- payout retry <id> REASON --as NAME
npm run admin -- payout refund <id> REASON --as NAME [--to <address> [--memo <memo>]] [--unfunded] [--unpaid]
npm run admin -- payout release <id> REASON --as NAME
npm run admin -- payout confirm <id of a large payment> REASON --as ANOTHER
npm run admin -- payout accept <id of a payment that moved less> REASON --as NAME
npm run admin -- payout replace <id> REASON --as NAME
npm run admin -- payout write-off <id of a sweep's payment> REASON --as NAME
npm run admin -- sweep retry <id> REASON --as NAME
npm run admin -- sweep write-off <id> REASON --as NAME
npm run admin -- deposit credit <id> REASON --as NAME [--order <reference or id>]
npm run admin -- deposit refund <id> REASON --as NAME --to <address> [--memo <memo>]
npm run admin -- deposit write-off <id> REASON --as NAME
npm run admin -- surplus keep <id> REASON --as NAME
npm run admin -- surplus returned <id> REASON --as NAME
npm run admin -- top-up expect <network> <slug> <amount> REASON --as NAME
npm run admin -- top-up cancel <id> REASON --as NAME
npm run admin -- job retry <orders|partner_exchanges|card_orders> <id or reference> REASON --as NAME
npm run admin -- freeze propose <network> <slug> <hot|deposits> <missing|found> <amount> REASON --as NAME [--unmeasured]
npm run admin -- freeze confirm <proposal> REASON --as ANOTHER
npm run admin -- freeze withdraw <proposal> REASON --as NAME`;

type Given = { words: string[]; options: Options; operator: Operator };

/** Runs a command on what is held, and returns its output. Null for a command that is not one of these. Throws `OperatorError`. */
export async function runHeldCommand(parts: RecipientParts, given: readonly string[]): Promise<string | null> {
  const [area, ...rest] = given;
  if (area === "held") {
    refuseArguments(readOptions(rest, []).words, HELD_HELP);
    return describeHeld(parts);
  }
  const run = AREAS.get(area ?? "");
  if (run === undefined) return null;
  if (rest.length === 0) throw new OperatorError(helpOf(area));
  const { words, options } = readOptions(rest, OPTIONS[`${area} ${rest[0] ?? ""}`]);
  const reasonAt = REASON_AT[`${area} ${words[0] ?? ""}`] ?? 2;
  return run(parts, { words, options, operator: readOperator(options, words.slice(reasonAt)) });
}

/** Where the reason begins among the words of a command, where it is not the third. */
const REASON_AT: Readonly<Record<string, number>> = { "freeze propose": 6, "job retry": 3, "top-up expect": 4 };

/** What a command takes beside `--as`. */
const OPTIONS: Readonly<Record<string, readonly OptionName[]>> = {
  "payout refund": ["as", "to", "memo", "unfunded", "unpaid"],
  "deposit credit": ["as", "order"],
  "deposit refund": ["as", "to", "memo"],
  "freeze propose": ["as", "unmeasured"],
};

/** What can be said in an area. */
const helpOf = (area = ""): string =>
  HELD_HELP.split("\n")
    .filter((line) => line.includes(` -- ${area} `))
    .join("\n");

type Run = (parts: RecipientParts, given: Given) => Promise<string>;
const AREAS: ReadonlyMap<string, Run> = new Map([
  ["payout", runPayout],
  ["sweep", runSweep],
  ["deposit", runDeposit],
  ["job", runJob],
  ["surplus", runSurplus],
  ["top-up", runTopUp],
  ["freeze", runFreeze],
]);

async function runPayout(parts: RecipientParts, { words, options, operator }: Given) {
  const { database } = parts;
  const id = readId(words[1], HELD_HELP);
  if (words[0] === "retry") await retryPayout(database, operator, id);
  else if (words[0] === "confirm") await confirmPayout(database, operator, id);
  else if (words[0] === "release") {
    if ((await releasePayout(database, operator, id)) === "proposed")
      return `payout ${id}: proposed by ${operator.name}. Somebody else confirms it with "payout confirm ${id} REASON --as NAME".`;
  } else if (words[0] === "accept") await acceptPayout(database, operator, id);
  else if (words[0] === "replace") await replacePayout(database, operator, id);
  else if (words[0] === "write-off") return proposed(await proposeSweepWriteOff(database, operator, id));
  else if (words[0] === "refund") {
    const to =
      options.to === undefined ? null : await readRecipient(parts, await findRefundNetwork(database, id), options);
    const { unfunded: isUnfunded, unpaid: isUnpaid } = options;
    await refundInsteadOfPayout(database, operator, id, to, { isUnfunded, isUnpaid });
  } else throw unknownCommand("payout", words);
  return `payout ${id}: ${words[0]}, by ${operator.name}. A worker goes on with it.`;
}

async function runSweep({ database }: RecipientParts, { words, operator }: Given): Promise<string> {
  const id = readId(words[1], HELD_HELP);
  if (words[0] === "write-off") return proposed(await proposeHeldSweepWriteOff(database, operator, id));
  if (words[0] !== "retry") throw unknownCommand("sweep", words);
  await retrySweep(database, operator, id);
  return `sweep ${id}: retry, by ${operator.name}. A worker goes on with it.`;
}

async function runDeposit(parts: RecipientParts, { words, options, operator }: Given): Promise<string> {
  const { database, catalogue } = parts;
  const id = readId(words[1], HELD_HELP);
  if (words[0] === "credit") await creditDeposit(database, operator, id, options.order ?? null);
  else if (words[0] === "refund") {
    const row = await database.kysely.selectFrom("deposits").select("network").where("id", "=", id).executeTakeFirst();
    if (row === undefined) throw new OperatorError(`There is no deposit ${id}.`);
    await refundDeposit(database, operator, id, await readRecipient(parts, row.network, options));
  } else if (words[0] === "write-off")
    await writeOffDeposit(database, operator, id, (slug) => requireInstrument(catalogue, slug).confirmations);
  else throw unknownCommand("deposit", words);
  return `deposit ${id}: ${words[0]}, by ${operator.name}.`;
}

async function runSurplus({ database }: RecipientParts, { words, operator }: Given): Promise<string> {
  const [command] = words;
  if (command !== "keep" && command !== "returned") throw unknownCommand("surplus", words);
  return proposed(await proposeSurplusEnd(database, operator, readId(words[1], HELD_HELP), command));
}

async function runTopUp({ database, catalogue }: RecipientParts, { words, operator }: Given): Promise<string> {
  const [command, network, slug, text] = words;
  if (command === "cancel") {
    await cancelTopUp(database, operator, readId(network, HELD_HELP));
    return `top-up ${network}: cancelled by ${operator.name}.`;
  }
  if (command !== "expect") throw unknownCommand("top-up", words);
  const { instrument, amount } = readAmount(catalogue, { network, slug, text });
  const id = await expectTopUp(database, operator, {
    network: instrument.networkTitle,
    slug: instrument.slug,
    amount,
  });
  return `top-up ${id}: ${amountText(catalogue, amount, instrument.slug)} to the hot wallet of ${instrument.networkTitle} are expected for a week.`;
}

/** An amount of an instrument of a network. Throws `OperatorError`. */
function readAmount(
  { instruments }: RecipientParts["catalogue"],
  { network, slug, text }: Record<"network" | "slug" | "text", string | undefined>,
) {
  const instrument = instruments.get(slug ?? "");
  if (instrument === undefined || instrument.networkTitle !== storedNetwork(network ?? ""))
    throw new OperatorError(`${slug} is no instrument of ${network}.`);
  const amount = parseAmount(text ?? "", instrument.decimals);
  if (amount === null || amount <= 0n) throw new OperatorError(`${text} is no amount of ${slug}.`);
  return { instrument, amount };
}

async function runJob({ database }: RecipientParts, { words, operator }: Given): Promise<string> {
  const [command, queue = "", named = ""] = words;
  if (command !== "retry" || !backsOff(queue)) throw unknownCommand("job", words);
  await retryJob(database, operator, queue, named);
  return `job ${queue} ${named}: retry, by ${operator.name}. A worker goes on with it.`;
}

async function runFreeze(
  { database, catalogue }: RecipientParts,
  { words, options, operator }: Given,
): Promise<string> {
  const [command, ...rest] = words;
  if (command === "confirm") {
    const { stillStopped, reference, ...booked } = await confirmAdjustment(
      database,
      operator,
      readId(rest[0], HELD_HELP),
    );
    const { network, slug, account, amount } = booked;
    const { decimals } = requireInstrument(catalogue, slug);
    const size = formatAmount(amount < 0n ? -amount : amount, decimals);
    if (account === "suspense")
      return `${size} ${slug} of suspense are ${amount < 0n ? "sent back" : "ours"}, booked.${stillStopped === null ? "" : ` ${network} is still stopped: ${stillStopped}.`}`;
    if (reference !== null) return `order ${reference}: ${size} ${slug} are written off. A worker ends it.`;
    return `${amount < 0n ? "missing" : "found"}: ${size} ${slug} in ${account}, booked. ${stillStopped === null ? `${network} is not stopped.` : `${network} is still stopped: ${stillStopped}.`}`;
  }
  if (command === "withdraw") {
    await withdrawAdjustment(database, operator, readId(rest[0], HELD_HELP));
    return `proposal ${rest[0]}: withdrawn by ${operator.name}.`;
  }
  const [network, slug, account, way, text] = rest;
  if (command !== "propose" || (account !== "hot" && account !== "deposits") || (way !== "missing" && way !== "found"))
    throw unknownCommand("freeze", words);
  const { instrument, amount } = readAmount(catalogue, { network, slug, text });
  const signed: bigint = way === "missing" ? 0n - amount : amount;
  const adjustment = { network: instrument.networkTitle, slug: instrument.slug, account, amount: signed } as const;
  const id = await proposeAdjustment(database, operator, adjustment, options.unmeasured);
  return proposed(id);
}

const proposed = (id: bigint): string =>
  `proposal ${id}: somebody else confirms it with "freeze confirm ${id} REASON --as NAME".`;

async function describeHeld({ database, catalogue }: RecipientParts): Promise<string> {
  const rows = await listHeld(database);
  if (rows.length === 0) return "nothing is held";
  return rows
    .map(({ subject, reason, details, seconds }) => {
      const said = details.map((one) => describeDetail(catalogue, one)).join(", ");
      return `${subject}  ${reason}  for ${ageOf(seconds)}  (${said})`;
    })
    .join("\n");
}

const describeDetail = (catalogue: RecipientParts["catalogue"], detail: HeldDetail): string =>
  detail.amount === null ? detail.text : `${detail.text} ${amountText(catalogue, detail.amount, detail.slug)}`.trim();

/** A decimal amount with its instrument; one that the catalogue no longer has is in minor units. */
export function amountText({ instruments }: Pick<Catalogue, "instruments">, amount: bigint, slug: string): string {
  const instrument = instruments.get(slug);
  return instrument === undefined
    ? `${amount} minor units of ${slug}`
    : `${formatAmount(amount, instrument.decimals)} ${slug}`;
}

function ageOf(seconds: number): string {
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}

const unknownCommand = (area: string, words: readonly string[]): OperatorError =>
  new OperatorError(`"${[area, ...words.slice(0, 2)].join(" ")}" is no command.\n${HELD_HELP}`);
