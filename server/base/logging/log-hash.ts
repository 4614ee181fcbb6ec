import { createHmac, randomBytes } from "node:crypto";

/** Enough to tell one order from another, in hex. */
const HASH_LENGTH = 16;

/** Until the database's key is known, hashes of this process match no other's. */
let key = randomBytes(32);

/** Sets the key of this process's log hashes, which all processes on one database share. */
export function setLogKey(shared: Buffer): void {
  key = Buffer.from(shared);
}

/** What the log holds in place of an order's id or an address: equal for equal texts, and useless without the key. */
export const logHash = (text: string): string =>
  createHmac("sha256", key).update(text).digest("hex").slice(0, HASH_LENGTH);

/** As long as an order's id; whatever else is as long is hashed too. */
const ID = /\b[A-Za-z0-9]{24}\b/g;

/** A text with hashes in place of orders' ids. */
export const withHashedIds = (text: string): string => text.replace(ID, (id) => `[${logHash(id)}]`);
