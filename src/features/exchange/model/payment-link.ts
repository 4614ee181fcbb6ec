export type PastedAddress = { address: string; memo: string | null };

const LINK = /^(?<scheme>[a-z][a-z0-9+.-]*):(?:\/\/(?:transfer\/)?)?(?<rest>.+)$/i;
const MEMO_NAMES = ["memo", "dt", "tag", "text", "message-id"];

/**
 * Reads what is pasted as an address: a payment link (BIP-21, EIP-681 and their like) is split into its address and memo.
 * An amount in the link is the payer's business and never applied.
 */
export function readPastedAddress(pasted: string): PastedAddress {
  const text = pasted.trim();
  const rest = LINK.exec(text)?.groups?.["rest"];
  if (rest === undefined) return { address: text, memo: null };
  const [target = "", query = ""] = rest.split("?");
  const params = new URLSearchParams(query);
  const memo = MEMO_NAMES.map((name) => params.get(name)).find((value) => value !== null && value !== "");
  return { address: targetAddress(target, params), memo: memo ?? null };
}

/** EIP-681 names a token's contract as the target and the receiver as `address`. */
function targetAddress(target: string, params: URLSearchParams): string {
  const receiver = target.endsWith("/transfer") ? params.get("address") : null;
  const [address = ""] = target.replace(/^pay-/, "").split(/[@/]/);
  return receiver ?? address;
}
