import type { AnswerOf, BodyOf, PartnerCallName, ParamsOf, QueryOf } from "#contract/calls.ts";
import type { CallSeed } from "../base/routes.ts";
import type { Partner } from "./signing/authenticate.ts";

/** One handler for each signed call; `seed` is there for idempotent ones with a key. */
export type PartnerHandlers = {
  [Name in PartnerCallName]: (given: {
    params: ParamsOf<Name>;
    query: QueryOf<Name>;
    body: BodyOf<Name>;
    partner: Partner;
    traceId: string;
    seed: CallSeed | undefined;
  }) => AnswerOf<Name> | Promise<AnswerOf<Name>>;
};
