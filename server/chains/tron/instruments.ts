import { hexOfBase58 } from "../addresses/trx.ts";

/** What the network carries: its own coin (`contractAddress` null) and TRC-20 tokens. */
export type TronInstrument = { slug: string; contractAddress: string | null; decimals: number };

export type TronInstruments = {
  /** The slug of the network's own coin, which also pays its fees. */
  native: string;
  /** The address of a token's contract, null for the network's own coin; throws for a slug of another network. */
  contractOf(slug: string): string | null;
  decimalsOf(slug: string): number;
  contracts: readonly string[];
  /** Token slugs by what their logs are called by: the contract's 20 bytes in hex. */
  tokens: ReadonlyMap<string, string>;
};

export function readTronInstruments(instruments: readonly TronInstrument[]): TronInstruments {
  const natives = instruments.filter(({ contractAddress }) => contractAddress === null);
  const native = natives[0];
  if (native === undefined || natives.length > 1) throw new Error("TRON has exactly one coin of its own");

  const known = new Map(instruments.map((instrument) => [instrument.slug, instrument]));
  if (known.size < instruments.length) throw new Error("an instrument of TRON is listed twice");
  const tokens = new Map<string, string>();
  for (const { slug, contractAddress } of instruments) {
    if (contractAddress === null) continue;
    const emitter = hexOfBase58(contractAddress).slice(2);
    if (tokens.has(emitter)) throw new Error(`${slug} and ${tokens.get(emitter)} name the same contract`);
    tokens.set(emitter, slug);
  }
  const required = (slug: string): TronInstrument => {
    const found = known.get(slug);
    if (found === undefined) throw new Error(`${slug} is not an instrument of this network`);
    return found;
  };
  return {
    native: native.slug,
    contractOf: (slug) => required(slug).contractAddress,
    decimalsOf: (slug) => required(slug).decimals,
    contracts: instruments.flatMap(({ contractAddress }) => contractAddress ?? []),
    tokens,
  };
}
