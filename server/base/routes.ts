import type { AnswerOf, BodyOf, CallName, QueryOf, calls } from "#contract/calls.ts";

/** Where Telegram posts the bot's updates, while the webhook is configured. */
export const BOT_WEBHOOK_PATH = "/api/v1/telegram/webhook";

/** The user that an access token belongs to. */
export type SignedIn = { readonly userId: bigint };

export type Session = SignedIn & { readonly accessToken: string };

/** Input for the ids of a call. `isFirst` is false where a crashed attempt had the same seed and may have stored something under it. */
export type CallSeed = { seed: string; isFirst: boolean };

/**
 * Who calls: `key` names the client for limits, `network` one that many clients share, neither for rights; the seed is there for idempotent
 * calls with a key (contract §1).
 */
export type Caller = { key: string; network?: string; traceId: string; signedIn: Session | null } & Partial<CallSeed>;

type CallerOf<Name extends CallName> = (typeof calls)[Name] extends { isForSignedIn: true }
  ? Caller & { signedIn: Session }
  : Caller;

/** One handler for each call of the contract: parsed query and body in, the call's answer out. */
export type Handlers = {
  [Name in CallName]: (given: {
    query: QueryOf<Name>;
    body: BodyOf<Name>;
    caller: CallerOf<Name>;
  }) => AnswerOf<Name> | Promise<AnswerOf<Name>>;
};
