import type { AnswerOf, AnyCallName, Call } from "#contract/calls.ts";
import { failureSchema } from "#contract/errors.ts";
import { CallError } from "./call-error.ts";

/** Parses what the service answered to `name`, whose call is given; throws CallError for a failure and for what breaks the contract. */
export function readAnswer<Name extends AnyCallName>(
  name: Name,
  { answer }: Pick<Call, "answer">,
  httpStatus: number,
  body: unknown,
): AnswerOf<Name> {
  if (httpStatus < 200 || httpStatus >= 300) throw readFailure(name, httpStatus, body);
  const parsed = answer.safeParse(body);
  if (parsed.success) return parsed.data as AnswerOf<Name>;
  throw new CallError({ kind: "unreadable", message: `unreadable answer to ${name}`, httpStatus, cause: parsed.error });
}

function readFailure(name: AnyCallName, httpStatus: number, body: unknown): CallError {
  const parsed = failureSchema.safeParse(body);
  if (!parsed.success) {
    return new CallError({
      kind: "unreadable",
      message: `unreadable failure of ${name}`,
      httpStatus,
      cause: parsed.error,
    });
  }
  const { status, message, data, traceId } = parsed.data;
  return new CallError({ kind: "coded", code: status, message, data: data ?? {}, httpStatus, traceId });
}
