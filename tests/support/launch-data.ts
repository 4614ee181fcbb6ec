import { createHmac } from "node:crypto";

/** Launch data as Telegram signs it for the bot of `token`: every field but `hash`. */
export function launchData(token: string, fields: Readonly<Record<string, string>>): string {
  const checked = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join("\n");
  const secret = createHmac("sha256", "WebAppData").update(token).digest();
  const hash = createHmac("sha256", secret).update(checked).digest("hex");
  return new URLSearchParams({ ...fields, hash }).toString();
}
