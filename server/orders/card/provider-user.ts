import { CRYPTO_FEATURE, FEATURE_COMPLETE, VERIFICATION_NEEDED } from "#contract/card.ts";
import { CodedError } from "#contract/errors.ts";
import { requireOwnUser, signUpAtProvider } from "../../card/index.ts";
import { CardProviderError, type CardProvider } from "../../card/port.ts";
import type { Database } from "../../db/database.ts";
import type { Client } from "../port.ts";

/** Who buys or sells: the account's email is the provider's user. */
export type CardCustomer = Client & { userId: bigint; email: string };

/** The provider does not answer, or prices are missing: nothing was begun that could be paid. */
export const unavailable = (cause?: unknown): CodedError =>
  new CodedError("ERR_SERVICE_UNAVAILABLE", "The card provider doesn't answer now; try again", {
    retryAfterSeconds: 5,
    ...(cause !== undefined && { cause }),
  });
/** The provider wants to know more of its user first. */
export const verificationNeeded = (): CodedError => new CodedError("ERR_FORBIDDEN", VERIFICATION_NEEDED);

/** The user's token; below the threshold whoever is new is registered, above it verification comes first. */
export async function userToken(
  { database, cardProvider: provider }: { database: Database; cardProvider: CardProvider },
  customer: CardCustomer,
  needsVerification: boolean,
): Promise<string> {
  try {
    const known = await provider.signIn(customer.email);
    if (known !== null) await requireOwnUser(database, provider, customer);
    if (needsVerification) {
      if (known === null || !(await isVerified(provider, known))) throw verificationNeeded();
      return known;
    }
    if (known !== null) return known;
    // Registered by somebody else in between: then it is theirs.
    if (!(await signUpAtProvider(database, provider, customer))) await requireOwnUser(database, provider, customer);
    const token = await provider.signIn(customer.email);
    if (token === null) throw unavailable();
    return token;
  } catch (error) {
    if (error instanceof CardProviderError) throw unavailable(error);
    throw error;
  }
}

const isVerified = async (provider: CardProvider, token: string): Promise<boolean> =>
  (await provider.features(token)).some(
    ({ feature, status }) => feature === CRYPTO_FEATURE && status === FEATURE_COMPLETE,
  );
