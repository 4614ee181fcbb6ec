import * as z from "zod/mini";

/** The catalogue of spec §8; the server answers one of these in `status` of every failure. */
const ERROR_CODES = [
  "ERR_UNAUTHORIZED",
  "ERR_NOT_ENOUGH_PERMISSIONS",
  "ERR_UNPROCESSABLE_ENTITY",
  "ERR_INVALID_CREDENTIALS",
  "ERR_USER_ALREADY_REGISTERED",
  "ERR_FORBIDDEN",
  "ERR_BAD_REQUEST",
  "ERR_NO_LIQUIDITY_AVAILABLE",
  "ERR_NOT_FOUND",
  "ERR_SERVICE_UNAVAILABLE",
  "ERR_NOT_ACCEPTABLE",
  "ERR_INTERNAL_SERVER_ERROR",
  "ERR_NETWORK_NOT_SUPPORTED",
  "ERR_BALANCE_TOO_LOW",
  "ERR_BALANCE_NOT_FOUND",
  "ERR_WITHDRAWAL_TOO_SMALL",
  "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL",
  "ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG",
  "ERR_VALIDATION",
  "ERR_INVALID_PASSWORD_RESET_CODE",
  "ERR_PRISMA_CLIENT_KNOWN_REQUEST",
  "ERR_IM_A_TEAPOT",
  "ERR_NOT_FOUND_E",
  "ERR_PAIR_NOT_ACTIVE",
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** The HTTP status of each code where the call does not say otherwise (contract §1). */
const HTTP_STATUS: Record<ErrorCode, number> = {
  ERR_UNAUTHORIZED: 401,
  ERR_NOT_ENOUGH_PERMISSIONS: 403,
  ERR_UNPROCESSABLE_ENTITY: 422,
  ERR_INVALID_CREDENTIALS: 400,
  ERR_USER_ALREADY_REGISTERED: 409,
  ERR_FORBIDDEN: 403,
  ERR_BAD_REQUEST: 400,
  ERR_NO_LIQUIDITY_AVAILABLE: 422,
  ERR_NOT_FOUND: 404,
  ERR_SERVICE_UNAVAILABLE: 503,
  ERR_NOT_ACCEPTABLE: 406,
  ERR_INTERNAL_SERVER_ERROR: 500,
  ERR_NETWORK_NOT_SUPPORTED: 422,
  ERR_BALANCE_TOO_LOW: 422,
  ERR_BALANCE_NOT_FOUND: 422,
  ERR_WITHDRAWAL_TOO_SMALL: 422,
  ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_SMALL: 422,
  ERR_CLAIMED_DEPOSIT_AMOUNT_TOO_BIG: 422,
  ERR_VALIDATION: 400,
  ERR_INVALID_PASSWORD_RESET_CODE: 400,
  ERR_PRISMA_CLIENT_KNOWN_REQUEST: 409,
  ERR_IM_A_TEAPOT: 418,
  ERR_NOT_FOUND_E: 404,
  ERR_PAIR_NOT_ACTIVE: 422,
};

/** The body of every failure (contract §1). */
export const failureSchema = z.object({
  status: z.enum(ERROR_CODES),
  message: z.string(),
  data: z.optional(z.record(z.string(), z.unknown())),
  traceId: z.string(),
});
export type Failure = z.infer<typeof failureSchema>;

/** A failure that the caller gets: thrown by rules, turned into a body by the HTTP layer. */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly data: Record<string, unknown> | undefined;
  readonly httpStatus: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    options: { data?: Record<string, unknown>; httpStatus?: number; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "CodedError";
    this.code = code;
    this.data = options.data;
    this.httpStatus = options.httpStatus ?? HTTP_STATUS[code];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
