import { CodedError, type ErrorCode } from "#contract/errors.ts";

/** One way a call fails: `error` as it is thrown, so that its code decides the HTTP status as everywhere. */
export type CallFailure = {
  /** Of those that many calls share: the document has them once, by this name. */
  readonly name?: string;
  readonly when: string;
  readonly error: CodedError;
};
export type FailuresOf<Name extends string> = Readonly<Record<Name, readonly CallFailure[]>>;

type Options = ConstructorParameters<typeof CodedError>[2];

/** A failure of a call as OpenAPI shows it: its code, when it comes, and its message. */
export const failure = (code: ErrorCode, when: string, message: string, options: Options = {}): CallFailure => ({
  when,
  error: new CodedError(code, message, options),
});

/** The same with a name of its own, where a call has several with one code. */
export const named = (name: string, one: CallFailure): CallFailure => ({ ...one, name });

/** ERR_VALIDATION at a field, or a dotted path of fields. */
export const invalid = (field: string, reason: string, when = "A field is wrong or missing"): CallFailure =>
  failure("ERR_VALIDATION", when, "The request is not valid", { data: { [field]: reason } });

/** What is said of a field that has to be there. */
export const MISSING = "is missing";
/** What it says of a slug. */
export const NO_SLUG = "must be a slug such as usdt-erc20";
export const BAD_ADDRESS = "error_address_incorrect";
