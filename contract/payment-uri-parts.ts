/** What a pasted text asks for. What it doesn't say is null. */
export type PastedPayment = {
  /** Null for a plain address, and for a chain that only its wallet knows. */
  networkTitle: string | null;
  address: string;
  memo: string | null;
  /** A wire decimal of the coin. */
  amount: string | null;
  /** Instead of `amount`, where the text counts minor units of a token and doesn't say how many make up one. */
  minorAmount: bigint | null;
  /** Null for the network's own coin. */
  contractAddress: string | null;
};

export type Parameters = ReadonlyMap<string, string>;

/** The parameters behind a "?": null for one that stands twice, is badly written or must be understood and isn't (BIP-21 `req-`). */
export function readParameters(query: string): Parameters | null {
  const parameters = new Map<string, string>();
  for (const pair of query.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = at === -1 ? pair : pair.slice(0, at);
    const value = decoded(at === -1 ? "" : pair.slice(at + 1));
    if (value === null || parameters.has(name) || name.startsWith("req-")) return null;
    parameters.set(name, value);
  }
  return parameters;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
