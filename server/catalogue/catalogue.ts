import "../base/validation-messages.ts";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { parseAmount } from "#contract/money.ts";
import { ambiguousPairs } from "#contract/links/pair-slug.ts";
import { catalogueFileSchema, type CatalogueFile } from "./catalogue-file.ts";
import { usualFixedFee } from "./fixed-fee.ts";
import type { Catalogue, CatalogueInstrument, NetworkPace, PaymentCaps, ReplacementTerms } from "./port.ts";
import { StartupError } from "../base/processes/startup-error.ts";

export type CatalogueOptions = {
  /** By slug: where the token contracts of this deployment are, instead of the file's. */
  contractAddresses?: ReadonlyMap<string, string>;
  /** By slug, instead of the file's. */
  confirmations?: ReadonlyMap<string, number>;
  /** Networks that run on this machine: no public explorer knows their transactions. */
  localNetworks?: ReadonlySet<string>;
  /** Networks that are simulated here: their instruments are traded, whatever the file says, and no explorer knows them. */
  simulatedNetworks?: ReadonlySet<string>;
  /** Where the file doesn't set it. */
  refundDelaySeconds?: number;
};

/** The catalogue can't be used; every problem is named by where it stands in the file. */
export class CatalogueError extends StartupError {
  override name = "CatalogueError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The catalogue is not usable (CATALOGUE_FILE; without it the one that is shipped):\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
    this.problems = problems;
  }
}

/** The catalogue that comes with the program. */
const catalogueFile = fileURLToPath(new URL("./catalogue.json", import.meta.url));

/** Reads the catalogue of a file. Throws `CatalogueError` with the file's path and every place in it that is wrong. */
export async function loadCatalogue(options: CatalogueOptions = {}, path: string = catalogueFile): Promise<Catalogue> {
  try {
    const text = await readFile(path, "utf8");
    return readCatalogue(JSON.parse(text), options);
  } catch (error) {
    if (error instanceof CatalogueError)
      throw new CatalogueError(error.problems.map((problem) => `${path}: ${problem}`));
    if (error instanceof SyntaxError) throw new CatalogueError([`${path}: ${error.message}`]);
    if (isFileError(error)) throw new CatalogueError([error.message]);
    throw error;
  }
}

const isFileError = (error: unknown): error is Error => error instanceof Error && "syscall" in error;

/**
 * Reads what can be exchanged, and on which terms, from the content of an operator's file. Throws `CatalogueError`.
 * @internal Exported for its tests.
 */
export function readCatalogue(json: unknown, options: CatalogueOptions = {}): Catalogue {
  const parsed = z.safeParse(catalogueFileSchema, json);
  if (!parsed.success)
    throw new CatalogueError(parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`));
  const file = parsed.data;
  const problems = inconsistencies(file);
  if (problems.length > 0) throw new CatalogueError(problems);

  const instruments = new Map(file.instruments.map((given) => [given.slug, completed(given, file, options)]));
  const pairs = new Map(file.pairs.map((pair) => [pairKey(pair.from, pair.to), pair]));
  const isTraded = (slug: string): boolean => instruments.get(slug)?.isActive === true;
  return {
    instruments,
    slugs: new Set(instruments.keys()),
    networks: new Map(
      Object.entries(file.networks).map(([title, network]) => [
        title,
        { ...paceOf(network), ...replacementOf(network) },
      ]),
    ),
    defaultPair: file.defaultPair,
    terms: {
      ...file.terms,
      refundDelaySeconds: file.terms.refundDelaySeconds ?? options.refundDelaySeconds ?? REFUND_DELAY_SECONDS,
    },
    isPairActive: (from, to) =>
      from !== to && isTraded(from) && isTraded(to) && pairs.get(pairKey(from, to))?.isActive !== false,
    pairTerms: (from, to) => {
      const given = pairs.get(pairKey(from, to));
      const { pairDefaults } = file;
      const floatingFeeBps = given?.floatingFeeBps ?? pairDefaults.floatingFeeBps;
      const spreadBps = given?.spreadBps ?? pairDefaults.spreadBps;
      return {
        floatingFeeBps,
        fixedFeeBps:
          given?.fixedFeeBps ?? pairDefaults.fixedFeeBps ?? usualFixedFee(file.terms, { floatingFeeBps, spreadBps }),
        spreadBps,
        ckm: given?.ckm ?? pairDefaults.ckm,
        hasFixedRate: given?.hasFixedRate ?? pairDefaults.hasFixedRate,
      };
    },
  };
}

/** Of a network whose pace the catalogue does not know. */
const SLOW_BLOCK_SECONDS = 600;
const REFUND_DELAY_SECONDS = 600;
const STANDSTILL_BLOCKS = 12;
const MIN_STANDSTILL_SECONDS = 120;
const LAG_SECONDS = 60;
const MIN_LAG_BLOCKS = 2;

function paceOf(network: CatalogueFile["networks"][string]): NetworkPace {
  const { standstillSeconds, lagBlocks, nodesToAgree = null } = network;
  const blockSeconds = network.blockSeconds ?? SLOW_BLOCK_SECONDS;
  return {
    blockSeconds,
    knownBlockSeconds: network.blockSeconds ?? null,
    standstillSeconds: standstillSeconds ?? Math.max(MIN_STANDSTILL_SECONDS, STANDSTILL_BLOCKS * blockSeconds),
    lagBlocks: lagBlocks ?? Math.max(MIN_LAG_BLOCKS, Math.ceil(LAG_SECONDS / blockSeconds)),
    nodesToAgree,
  };
}

const REPLACE_AFTER_BLOCKS = 6;
const MIN_REPLACE_AFTER_SECONDS = 120;

const replacementOf = (network: CatalogueFile["networks"][string]): ReplacementTerms => ({
  replaceAfterSeconds:
    network.replaceAfterSeconds ??
    Math.max(MIN_REPLACE_AFTER_SECONDS, REPLACE_AFTER_BLOCKS * (network.blockSeconds ?? SLOW_BLOCK_SECONDS)),
  maxReplacements: network.maxReplacements,
});

/** More than any limit in USD is written with. */
const LIMIT_DECIMALS = 18;

const pairKey = (from: string, to: string): string => `${from} ${to}`;

function completed(
  given: CatalogueFile["instruments"][number],
  file: CatalogueFile,
  options: CatalogueOptions,
): CatalogueInstrument {
  const network = file.networks[given.networkTitle];
  if (!network) throw new CatalogueError([`instruments: ${given.slug} is on an unknown network`]);
  const isPlayed = options.simulatedNetworks?.has(given.networkTitle) === true;
  const isLocal = isPlayed || options.localNetworks?.has(given.networkTitle) === true;
  return {
    ...given,
    isActive: given.isActive || isPlayed,
    networkFriendlyTitle: network.friendlyTitle,
    contractAddress: options.contractAddresses?.get(given.slug) ?? given.contractAddress,
    networkStandard: given.contractAddress === null ? null : network.tokenStandard,
    explorerTx: isLocal ? null : network.explorerTx,
    explorerAddress: isLocal ? null : network.explorerAddress,
    confirmations: options.confirmations?.get(given.slug) ?? given.confirmations ?? network.confirmations,
    minUsd: given.minUsd ?? file.limitsUsd.min,
    maxUsd: given.maxUsd ?? file.limitsUsd.max,
    fixedMaxUsd: given.fixedMaxUsd ?? file.limitsUsd.fixedMax,
    sweepMinUsd: given.sweepMinUsd ?? file.limitsUsd.sweepMin,
    caps: toPaymentCaps(network.caps),
  };
}

const GWEI = 10n ** 9n;
const SUN_PER_TRX = 10n ** 6n;

const toPaymentCaps = (caps: CatalogueFile["networks"][string]["caps"]): PaymentCaps => ({
  nativeGas: caps.nativeGas,
  tokenGas: caps.tokenGas,
  maxFeePerGas: caps.maxFeePerGasGwei * GWEI,
  maxPriorityFeePerGas: caps.maxPriorityFeePerGasGwei * GWEI,
  feePerByte: caps.feePerByte ?? null,
  feeLimit: caps.feeLimitTrx * SUN_PER_TRX,
  timesCharged: caps.timesCharged,
  overChargedUsd: caps.overChargedUsd,
  replacementTimesCharged: caps.replacementTimesCharged,
  replacementOverChargedUsd: caps.replacementOverChargedUsd,
});

/** What earnings may be counted in: one without a price is taken for a dollar. */
const DOLLAR_COINS = ["USDT", "USDC", "DAI"];

/** What a schema can't see: names that must be unique, known, or read in one way only (contract §2). */
function inconsistencies(file: CatalogueFile): string[] {
  const problems: string[] = [];
  const seen = { slug: new Set<string>(), coin: new Set<string>(), pair: new Set<string>() };
  const once = (names: Set<string>, name: string, problem: string) => {
    if (names.has(name)) problems.push(problem);
    names.add(name);
  };

  file.instruments.forEach(({ slug, currencyTitle, networkTitle }, at) => {
    once(seen.slug, slug, `instruments.${at}.slug: "${slug}" is the slug of another instrument too`);
    const coin = `${currencyTitle} on ${networkTitle}`;
    once(seen.coin, coin, `instruments.${at}: ${coin} is there twice`);
    if (!Object.hasOwn(file.networks, networkTitle))
      problems.push(`instruments.${at}.networkTitle: "${networkTitle}" is not among the networks`);
  });

  const { min, max, fixedMax } = file.limitsUsd;
  const scaled = (amount: string): bigint => parseAmount(amount, LIMIT_DECIMALS) ?? 0n;
  if (scaled(min) > scaled(fixedMax) || scaled(fixedMax) > scaled(max))
    problems.push("limitsUsd: must be min ≤ fixedMax ≤ max");

  const known = (slug: string, where: string) => {
    if (!seen.slug.has(slug)) problems.push(`${where}: "${slug}" is no instrument`);
  };
  file.pairs.forEach(({ from, to }, at) => {
    known(from, `pairs.${at}.from`);
    known(to, `pairs.${at}.to`);
    once(seen.pair, pairKey(from, to), `pairs.${at}: ${from} to ${to} is there twice`);
  });
  known(file.defaultPair.from, "defaultPair.from");
  known(file.defaultPair.to, "defaultPair.to");
  known(file.terms.earningsSlug, "terms.earningsSlug");
  const earned = file.instruments.find(({ slug }) => slug === file.terms.earningsSlug);
  if (earned !== undefined && !DOLLAR_COINS.includes(earned.currencyTitle))
    problems.push(
      `terms.earningsSlug: "${earned.slug}" is not ${DOLLAR_COINS.join(" or ")}; its sums and smallest withdrawal are dollars`,
    );
  if (file.defaultPair.from === file.defaultPair.to) problems.push("defaultPair: one instrument twice");

  for (const pair of ambiguousPairs(seen.slug))
    problems.push(`instruments: the pair "${pair}" can be read in two ways`);
  return problems;
}
