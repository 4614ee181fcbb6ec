import { getAddress } from "viem";
import { addressesIn } from "./unspendable.ts";

/** Contracts of the protocol, which keep or burn what they get. Precompiles and burn addresses show by their runs of equal bytes. */
const SYSTEM_CONTRACTS = addressesIn({
  "Ethereum consensus specification, deposit contract": ["0x00000000219ab540356cBB839Cbe05303d7705Fa"],
  "EIP-4788, beacon block roots": ["0x000F3df6D732807Ef1319fB7B8bB8522d0Beac02"],
  "EIP-2935, block hashes": ["0x0000F90827F1C53a10cb7A02335B175320002935"],
  "EIP-7002, withdrawal requests": ["0x00000961Ef480Eb55e80D19ad83579A64c007002"],
  "EIP-7251, consolidation requests": ["0x0000BBdDc7CE488642fb579F8B00f3a590007251"],
});

export const EVM_UNSPENDABLE: ReadonlySet<string> = new Set([...SYSTEM_CONTRACTS].map((text) => getAddress(text)));
