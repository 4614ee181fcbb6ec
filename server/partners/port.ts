import type { AnswerOf, BodyOf, PartnerCallName, ParamsOf, QueryOf } from "#contract/calls.ts";
import type { Partner } from "./signing/authenticate.ts";

/** One handler for each signed call. */
export type PartnerHandlers = {
  [Name in PartnerCallName]: (given: {
    params: ParamsOf<Name>;
    query: QueryOf<Name>;
    body: BodyOf<Name>;
    partner: Partner;
  }) => AnswerOf<Name> | Promise<AnswerOf<Name>>;
};
