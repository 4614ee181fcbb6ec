import type { cardCalls } from "#contract/calls/card.ts";
import { CARD_SIGNATURE_HEADER, MERCURYO_TOKEN_HEADER } from "#contract/card.ts";
import { CodedError } from "#contract/errors.ts";
import type { Caller, Handlers, SignedIn } from "../base/routes.ts";
import type { Card, CardCaller } from "./port.ts";

/** The calls about the card provider (spec §7, contract §11); `card` is null where none is configured. */
export function cardHandlers(card: Card | null): Pick<Handlers, keyof typeof cardCalls> {
  const open = (): Card => {
    if (card === null) throw new CodedError("ERR_SERVICE_UNAVAILABLE", "Card payments are not available");
    return card;
  };
  return {
    async cardSignUp({ body, caller }) {
      await open().accounts.signUp(callerOf(caller), body.email ?? null);
      return {};
    },
    cardSignIn: ({ body, caller }) => open().accounts.signIn(callerOf(caller), body.email ?? null),
    cardContacts: ({ query, caller, header }) =>
      open().accounts.contacts(callerOf(caller), tokenOf(query.mercuryoBearerToken, header)),
    cardKycStatus: ({ query, caller, header }) =>
      open().accounts.kycStatus(callerOf(caller), tokenOf(query.mercuryoBearerToken, header)),
    cardAccessToken: ({ query, caller, header }) =>
      open().accounts.accessToken(callerOf(caller), tokenOf(query.mercuryoBearerToken, header), query.feature),
    async cardCallback({ rawBody, header }) {
      await open().takeCallback(rawBody ?? "", header(CARD_SIGNATURE_HEADER));
      return {};
    },
  };
}

const callerOf = ({ signedIn, key, network }: Caller & { signedIn: SignedIn }): CardCaller => ({
  account: signedIn,
  client: { address: key, network: network ?? null },
});

function tokenOf(inQuery: string | undefined, header: (name: string) => string | null): string {
  const token = header(MERCURYO_TOKEN_HEADER) ?? inQuery;
  if (token !== undefined) return token;
  throw new CodedError("ERR_VALIDATION", "The request is not valid", {
    data: { mercuryoBearerToken: "is missing in the query and in the header X-Mercuryo-Bearer-Token" },
  });
}
