import * as z from "zod/mini";
import { CodedError, type ErrorCode, failureSchema } from "#contract/errors.ts";

const failureResponse = z.object({
  description: z.string().check(z.minLength(1)),
  headers: z.optional(z.record(z.string(), z.unknown())),
  content: z.object({
    "application/json": z.object({
      schema: z.object({ $ref: z.literal("#/components/schemas/Failure") }),
      examples: z.record(z.string(), z.object({ summary: z.string(), value: failureSchema })),
    }),
  }),
});
/** Of a document: what operations call by their names. */
export const failureComponents = z.record(z.string(), failureResponse);
/** Of an operation, by their HTTP statuses. */
export const responsesSchema = z.record(z.string(), z.looseObject({ $ref: z.optional(z.string()) }));

/** How an operation fails, by HTTP status. Throws where it has a response that is none of a failure's. */
export function failuresIn(
  responses: z.output<typeof responsesSchema>,
  components: z.output<typeof failureComponents>,
) {
  return Object.entries(responses).flatMap(([text, { $ref, ...own }]) => {
    const status = Number(text);
    if (status < 400) return [];
    const response = $ref === undefined ? own : components[$ref.split("/").at(-1) ?? ""];
    const { description, headers = {}, content } = z.parse(failureResponse, response);
    const examples = Object.values(content["application/json"].examples).map(({ value }) => value);
    return [{ status, description, headers: Object.keys(headers), examples }];
  });
}

/** ERR_BAD_REQUEST is what has no code of its own. */
export const isOfStatus = (code: ErrorCode, status: number): boolean =>
  code === "ERR_BAD_REQUEST"
    ? [400, 409, 413, 415, 429].includes(status)
    : new CodedError(code, "").httpStatus === status;
