import type { AnswerOf, BodyOf, PartnerCallName, ParamsOf, QueryOf } from "#contract/calls.ts";
import type { CallSeed } from "../base/routes.ts";
import type { Partner } from "./signing/authenticate.ts";

/** Who signed the call, and from which network it came. */
export type Caller = Partner & {
  /** The caller's address, or its IPv6 network: limits count it, because accounts cost nothing and addresses do. */
  network: string;
};

/** One handler for each signed call; `seed` is there for idempotent ones with a key. */
export type PartnerHandlers = {
  [Name in PartnerCallName]: (given: {
    params: ParamsOf<Name>;
    query: QueryOf<Name>;
    body: BodyOf<Name>;
    partner: Caller;
    traceId: string;
    seed: CallSeed | undefined;
    /** Whether it comes from this machine itself. */
    isDirect: () => boolean;
  }) => AnswerOf<Name> | Promise<AnswerOf<Name>>;
};
