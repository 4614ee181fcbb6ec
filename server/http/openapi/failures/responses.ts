import { toFailure } from "../../errors.ts";
import type { CallFailure } from "./failure.ts";

type Json = Record<string, unknown>;

/** What each HTTP status of a failure means. */
const MEANINGS: Readonly<Record<number, string>> = {
  400: "The request can't be read, or is not valid",
  401: "Not authorised",
  403: "Not allowed",
  404: "Not found",
  406: "Not to be had so",
  409: "In conflict with what is there",
  413: "Too large",
  415: "Not the media type that the call takes",
  418: "The access token has expired",
  422: "The request is valid, and can't be done",
  429: "Too many: wait for `Retry-After` seconds",
  500: "Our fault",
  503: "Not now: repeat it, after `Retry-After` seconds where they are given",
};

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

/** The header of a document's `components.headers`. */
export const RETRY_AFTER = {
  RetryAfter: { description: "Seconds to wait", schema: { type: "integer", minimum: 1 }, example: 5 },
};

/** What a document says of a failure's HTTP status; `codes` are those that a call answers with it. */
type Describe = (status: number, codes: readonly string[]) => string;
const describe: Describe = (status, codes) => `${MEANINGS[status]}: ${codes.map((code) => `\`${code}\``).join(", ")}`;

/** The responses of an operation that fails so, by HTTP status. Where all of one are named it is a component, which is put into `components`. */
export function failureResponses(
  failures: readonly CallFailure[],
  components: Json,
  description: Describe = describe,
): Json {
  const responseOf = (status: number, all: readonly CallFailure[]): Json => ({
    description: description(status, [...new Set(all.map(({ error }) => error.code))]),
    ...contentOf(all),
  });
  const sharedOrOwn = (status: number, all: readonly CallFailure[]): Json => {
    const names = all.flatMap(({ name }) => name ?? []);
    if (names.length < all.length) return responseOf(status, all);
    const name = names.sort().join("Or");
    components[name] ??= responseOf(status, all);
    return { $ref: `#/components/responses/${name}` };
  };
  const byStatus = [...Map.groupBy(failures, ({ error }) => error.httpStatus)];
  return Object.fromEntries(
    byStatus.sort(([one], [other]) => one - other).map(([status, all]) => [status, sharedOrOwn(status, all)]),
  );
}

function contentOf(all: readonly CallFailure[]): Json {
  const hasRetryAfter = all.some(({ error }) => error.retryAfterSeconds !== undefined);
  return {
    ...(hasRetryAfter && { headers: { "Retry-After": { $ref: "#/components/headers/RetryAfter" } } }),
    content: { "application/json": { schema: { $ref: "#/components/schemas/Failure" }, examples: examplesOf(all) } },
  };
}

/** By their codes; a second one of a code has a number. */
const examplesOf = (all: readonly CallFailure[]): Json =>
  Object.fromEntries(
    all.map(({ when, error }, at) => {
      const before = all.slice(0, at).filter((other) => other.error.code === error.code).length;
      const key = before === 0 ? error.code : `${error.code}_${before + 1}`;
      return [key, { summary: when, value: toFailure(error, TRACE_ID) }];
    }),
  );
