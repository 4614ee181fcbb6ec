import type * as z from "zod/mini";

export type Schema = z.ZodMiniType;

/** One call: the server's route, the app's client and the OpenAPI document are all made from it. */
export type Call = {
  readonly method: "GET" | "POST" | "DELETE";
  /** With a `:name` for each of its params. */
  readonly path: string;
  readonly summary: string;
  /** How long the app waits, in milliseconds (spec §7). */
  readonly timeoutMs: number;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** The body is `multipart/form-data`, because it has files; every other one is JSON. */
  readonly isForm?: true;
  readonly answer: Schema;
  /** The HTTP status of success where it is not 200. */
  readonly successStatus?: 201;
  /** The answer is a text of this kind, not JSON. */
  readonly mediaType?: "text/csv";
  /** Its handler needs the body as it came: it is signed. */
  readonly isSigned?: true;
  /** Takes an Idempotency-Key, because it moves value (contract §1). */
  readonly idempotent?: true;
  /** Signs somebody in: has a stricter limit (contract §1). */
  readonly isSignIn?: true;
  /** Touches many rows at once: one account, and one client, has twenty a minute beside its other limits. */
  readonly isBulk?: true;
  /** Answers only who is signed in. */
  readonly isForSignedIn?: true;
  /** For guests too, but a session that the call carries counts, and an ended one fails it (contract §8). Other calls ignore cookies. */
  readonly usesSession?: true;
  /** Asked for with ERR_FORBIDDEN `data.reauthenticate` where the last sign-in is more than ten minutes ago (contract §8). */
  readonly needsReauthentication?: true;
};

/** A call's path with its params in it. */
export const pathOf = ({ path }: Pick<Call, "path">, params: Readonly<Record<string, string>> = {}): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
