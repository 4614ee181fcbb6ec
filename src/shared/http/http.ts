import type { AnswerOf, AnyCallName } from "#contract/calls.ts";
import type { Api, CallInput } from "#contract/site/ssr.ts";

export type CallOptions = {
  readonly signal?: AbortSignal;
  /** The same key for each press of the same button; generated when left out of a call that moves value. */
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Reads are retried once by default (spec §7). */
  readonly retries?: number;
  readonly cache?: "no-store";
};

type Given<Name extends AnyCallName> = CallInput<Name> & CallOptions;
type Arguments<Name extends AnyCallName> =
  object extends CallInput<Name> ? [input?: Given<Name>] : [input: Given<Name>];

/**
 * Calls the service and gives its parsed answer, with the time-outs and retries of spec §7. Throws CallError;
 * an aborted call throws the signal's reason. The client loads with the first call, after the first paint.
 */
export async function call<Name extends AnyCallName>(name: Name, ...[input]: Arguments<Name>): Promise<AnswerOf<Name>> {
  const { send } = await import("./http-client.ts");
  return send(name, input ?? {}, globalThis.location?.origin ?? "");
}

/** The calls as page loaders take them. */
export const browserApi: Api = { call };
