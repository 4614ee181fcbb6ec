/** An API key while the page is open: it is stored nowhere. */
export type ApiKeyPair = { readonly publicKey: string; readonly secretKey: string };

type SignedParts = {
  readonly method: string;
  /** With its query, as it is sent. */
  readonly path: string;
  readonly body: string;
  /** Milliseconds since 1970. */
  readonly at: number;
};

const HMAC = { name: "HMAC", hash: "SHA-256" } as const;

/** The headers of a signed call, version 2 (contract §13), by Web Crypto. It is missing outside of https and of this machine. */
export async function signedHeaders(
  { publicKey, secretKey }: ApiKeyPair,
  { method, path, body, at }: SignedParts,
): Promise<Record<string, string>> {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes(body)));
  const hex = Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const key = await crypto.subtle.importKey("raw", bytes(secretKey), HMAC, false, ["sign"]);
  const signature = await crypto.subtle.sign("HMAC", key, bytes([at, method, path, hex, publicKey].join("\n")));
  return {
    "x-api-public-key": publicKey,
    "x-api-timestamp": String(at),
    "x-api-signature": btoa(String.fromCharCode(...new Uint8Array(signature))),
    "x-api-signature-version": "2",
  };
}
