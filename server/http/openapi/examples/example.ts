import type { AnswerOf, BodyInput, CallName, ParamsInput, PartnerCallName, QueryInput } from "#contract/calls.ts";

/** Nothing where the call takes no such part. */
type Sent<Part extends string, Given> = [Given] extends [undefined] ? unknown : { readonly [name in Part]: Given };

/** One exchange of each call, as it goes over the wire. A file in a form is a `File`, of which the document shows the name. */
export type ExamplesOf<Names extends CallName | PartnerCallName> = {
  readonly [Name in Names]: Sent<"params", ParamsInput<Name>> &
    Sent<"query", QueryInput<Name>> &
    Sent<"body", BodyInput<Name>> & { readonly answer: AnswerOf<Name> };
};

/** What an example of any call may have. */
export type Example = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | null | undefined>>;
  readonly body?: unknown;
  readonly answer: unknown;
};
