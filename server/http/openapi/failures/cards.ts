import type { cardCalls } from "#contract/calls/card.ts";
import { EMAIL_NOT_CONFIRMED } from "#contract/card.ts";
import { failure, type FailuresOf, invalid } from "./failure.ts";

const PROVIDER = "Mercuryo";

const noEmail = failure("ERR_UNPROCESSABLE_ENTITY", "The account has no email", "The account needs an email for this");
const noAnswer = failure(
  "ERR_SERVICE_UNAVAILABLE",
  "The provider is down, or asked too often",
  "The card provider doesn't answer now",
  { retryAfterSeconds: 5 },
);
const noCards = failure(
  "ERR_SERVICE_UNAVAILABLE",
  "The exchange has no card provider",
  "Card payments are not available",
);
const unknownEmail = failure(
  "ERR_NOT_FOUND",
  "The account's email is unknown there: sign up first",
  `This email is not registered with ${PROVIDER}`,
);
const otherEmail = invalid("email", "must be the account's own", "It is another email than the account's");
const byToken = [
  invalid(
    "mercuryoBearerToken",
    "is missing in the query and in the header X-Mercuryo-Bearer-Token",
    "The provider's token is missing",
  ),
  failure("ERR_FORBIDDEN", "The token is another account's or too old", "Sign in with the card provider again"),
  unknownEmail,
  noEmail,
  noAnswer,
  noCards,
];

export const cardFailures: FailuresOf<keyof typeof cardCalls> = {
  cardSignUp: [
    otherEmail,
    failure("ERR_USER_ALREADY_REGISTERED", "Sign in instead", `This email is registered with ${PROVIDER} already`),
    noEmail,
    noAnswer,
    noCards,
  ],
  cardSignIn: [
    otherEmail,
    failure("ERR_FORBIDDEN", "The account has not proved its email", EMAIL_NOT_CONFIRMED),
    unknownEmail,
    noEmail,
    noAnswer,
    noCards,
  ],
  cardContacts: byToken,
  cardKycStatus: byToken,
  cardAccessToken: byToken,
  cardCallback: [
    invalid("payload", "has no known event", "The body is none of the provider's callbacks"),
    failure("ERR_UNAUTHORIZED", "The body is signed wrongly or not at all", "The signature is not the card provider's"),
    failure("ERR_NOT_FOUND", "Unknown order", "There is no such order"),
    failure("ERR_UNPROCESSABLE_ENTITY", "It is not what was ordered", "The order is in another currency"),
    failure("ERR_SERVICE_UNAVAILABLE", "It came before its order: repeat it", "The order is being opened", {
      retryAfterSeconds: 5,
    }),
    noCards,
  ],
};
