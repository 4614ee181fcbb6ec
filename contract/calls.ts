import type * as z from "zod/mini";
import { appCalls } from "./calls/app-calls.ts";
import type { Schema } from "./calls/call.ts";
import { deferredCalls } from "./calls/deferred-calls.ts";
import { partnerCalls } from "./calls/partner-api.ts";
import { sandboxCalls } from "./calls/sandbox.ts";

export { pathOf, type Call } from "./calls/call.ts";
export { partnerCalls, sandboxCalls };

/** Every public call (spec §7). */
export const calls = { ...appCalls, ...deferredCalls };

export type CallName = keyof typeof calls;
export type SandboxCallName = keyof typeof sandboxCalls;
export type PartnerCallName = keyof typeof partnerCalls;
type AllCalls = typeof calls & typeof partnerCalls & typeof sandboxCalls;
/** The sandbox's calls included. */
export type AnyCallName = CallName | SandboxCallName;
type KnownName = keyof AllCalls;
type CallOf<Name extends KnownName> = AllCalls[Name];
type Parsed<T> = T extends Schema ? z.output<T> : undefined;
type Given<T> = T extends Schema ? z.input<T> : undefined;
export type ParamsOf<Name extends KnownName> = CallOf<Name> extends { params: infer P } ? Parsed<P> : undefined;
export type QueryOf<Name extends KnownName> = CallOf<Name> extends { query: infer Q } ? Parsed<Q> : undefined;
export type BodyOf<Name extends KnownName> = CallOf<Name> extends { body: infer B } ? Parsed<B> : undefined;
export type ParamsInput<Name extends KnownName> = CallOf<Name> extends { params: infer P } ? Given<P> : undefined;
export type QueryInput<Name extends KnownName> = CallOf<Name> extends { query: infer Q } ? Given<Q> : undefined;
export type BodyInput<Name extends KnownName> = CallOf<Name> extends { body: infer B } ? Given<B> : undefined;
export type AnswerOf<Name extends KnownName> = z.output<CallOf<Name>["answer"]>;
