import { createHmac, generateKeyPairSync, sign, type KeyObject } from "node:crypto";

type Fields = Readonly<Record<string, string>>;

/** Launch data as Telegram signs it for the bot of `token`: every field but `hash`. */
export function launchData(token: string, fields: Fields): string {
  const secret = createHmac("sha256", "WebAppData").update(token).digest();
  const hash = createHmac("sha256", secret).update(checkString(fields)).digest("hex");
  return new URLSearchParams({ ...fields, hash }).toString();
}

/** A key pair in the place of Telegram's own. */
export function telegramKeys(): { publicKey: string; privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32);
  return { publicKey: raw.toString("hex"), privateKey };
}

/** Launch data as Telegram signs it for others too: with its signature, which the hash covers. */
export function signedLaunchData(token: string, privateKey: KeyObject, fields: Fields): string {
  const message = `${token.split(":")[0]}:WebAppData\n${checkString(fields)}`;
  const signature = sign(null, Buffer.from(message), privateKey).toString("base64url");
  return launchData(token, { ...fields, signature });
}

const checkString = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join("\n");
