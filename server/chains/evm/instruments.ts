import { getAddress } from "viem";

/** What a network carries: its own coin (`contractAddress` null) and ERC-20 tokens. */
export type EvmInstrument = { slug: string; contractAddress: string | null; decimals: number };

export type EvmInstruments = {
  /** The slug of the network's own coin, which also pays its fees. */
  native: string;
  /** The canonical address of a token's contract, null for the network's own coin; throws for a slug of another network. */
  contractOf(slug: string): `0x${string}` | null;
  /** Token slugs by the canonical address of their contract. */
  tokens: ReadonlyMap<string, string>;
};

export function readInstruments(instruments: readonly EvmInstrument[]): EvmInstruments {
  const natives = instruments.filter((instrument) => instrument.contractAddress === null);
  const native = natives[0];
  if (native === undefined || natives.length > 1) throw new Error("an EVM network has exactly one coin of its own");

  const contracts = new Map<string, `0x${string}` | null>();
  const tokens = new Map<string, string>();
  for (const { slug, contractAddress } of instruments) {
    if (contracts.has(slug)) throw new Error(`${slug} is listed twice`);
    const canonical = contractAddress === null ? null : getAddress(contractAddress.toLowerCase());
    contracts.set(slug, canonical);
    if (canonical === null) continue;
    if (tokens.has(canonical)) throw new Error(`${slug} and ${tokens.get(canonical)} name the same contract`);
    tokens.set(canonical, slug);
  }

  const contractOf = (slug: string) => {
    const contract = contracts.get(slug);
    if (contract === undefined) throw new Error(`${slug} is not an instrument of this network`);
    return contract;
  };
  return { native: native.slug, contractOf, tokens };
}
