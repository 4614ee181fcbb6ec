import type { AnswerOf, BodyOf, CallName, ParamsOf, QueryOf, calls } from "#contract/calls.ts";

/** Where Telegram posts the bot's updates, while the webhook is configured. */
export const BOT_WEBHOOK_PATH = "/api/v1/telegram/webhook";

/** The user that an access token belongs to, and the session. */
export type SignedIn = {
  readonly userId: bigint;
  readonly sessionId: string;
  /** Of the account; null for a Telegram account without one. */
  readonly email: string | null;
  /** Who it is was proved in the last minutes (contract §8). */
  readonly isFresh: boolean;
};

export type Session = SignedIn & { readonly accessToken: string };

/** Input for the ids of a call. `isFirst` is false where a crashed attempt had the same seed and may have stored something under it. */
export type CallSeed = { seed: string; isFirst: boolean };

/**
 * Who calls: `key` names the client for limits, `network` one that many clients share, `block` one of many networks, none of them for rights;
 * the seed is there for idempotent calls with a key (contract §1).
 */
export type Caller = {
  key: string;
  network?: string;
  block?: string;
  traceId: string;
  signedIn: Session | null;
} & Partial<CallSeed>;

type CallerOf<Name extends CallName> = (typeof calls)[Name] extends { isForSignedIn: true }
  ? Caller & { signedIn: Session }
  : Caller;

/** The cookies of a session (contract §4): what the call carries, and what its answer sets. */
export type SessionCookies = {
  readonly refresh: string | null;
  /** Marks a browser in which an account was signed in before. */
  readonly browser: string | null;
  set(tokens: { access: string; refresh: string }): void;
  setBrowser(token: string): void;
  clear(): void;
};

/** A form is read and parsed when its handler asks for it: files cost more than the checks before them. */
type GivenBody<Name extends CallName> = (typeof calls)[Name] extends { isForm: true }
  ? () => Promise<BodyOf<Name>>
  : BodyOf<Name>;

/** One handler for each call of the contract: parsed query and body in, the call's answer out. */
export type Handlers = {
  [Name in CallName]: (given: {
    params: ParamsOf<Name>;
    query: QueryOf<Name>;
    body: GivenBody<Name>;
    caller: CallerOf<Name>;
    cookies: SessionCookies;
    /** What the client says it is. */
    userAgent: string | null;
    /** By its lower-case name. */
    header: (name: string) => string | null;
    /** Whether it comes from this machine itself. */
    isDirect: () => boolean;
    /** A JSON body as it came, of the calls that ask for it. */
    rawBody: string | null;
  }) => AnswerOf<Name> | Promise<AnswerOf<Name>>;
};
