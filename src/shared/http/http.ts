import type { AnswerOf, CallName } from "#contract/calls.ts";
import type { Api, CallInput } from "#contract/ssr.ts";

export type CallOptions = {
  readonly signal?: AbortSignal;
  /** The same key for each press of the same button; made up when left out of a call that moves value. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

type Given<Name extends CallName> = CallInput<Name> & CallOptions;
type Arguments<Name extends CallName> = object extends CallInput<Name> ? [input?: Given<Name>] : [input: Given<Name>];

/**
 * Calls the service and gives its parsed answer, with the time-outs and retries of spec §7. Throws CallError;
 * an aborted call throws the signal's reason. The client loads with the first call, after the first paint.
 */
export async function call<Name extends CallName>(name: Name, ...[input]: Arguments<Name>): Promise<AnswerOf<Name>> {
  const { send } = await import("./http-client.ts");
  return send(name, input ?? {}, globalThis.location?.origin ?? "");
}

/** The calls as page loaders take them. */
export const browserApi: Api = { call };
