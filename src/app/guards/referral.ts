import type { Guard } from "./guard.ts";

/** The contract's limit for `referrerId`. */
const MAX_LENGTH = 128;

/** Guard 3 of spec §2: stores `ref` from the query for the registration and later orders; that of a guest alone (contract §9). */
export const referral: Guard = async ({ query }, { account, storeReferral }) => {
  const given = query.get("ref") ?? "";
  if (!account.isAuthorised && given !== "" && given.length <= MAX_LENGTH) storeReferral(given);
  return null;
};
