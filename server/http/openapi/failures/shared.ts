import type { Call } from "#contract/calls.ts";
import { reauthenticationNeeded } from "../../../base/sign-in-errors.ts";
import { failure, named, type CallFailure } from "./failure.ts";

// How calls fail that have something in common (contract §1).

const unreadable = named(
  "Unreadable",
  failure("ERR_BAD_REQUEST", "The request is no HTTP or no JSON that can be read", "The request could not be read"),
);

const unauthorized = named(
  "Unauthorized",
  failure("ERR_UNAUTHORIZED", "Nobody is signed in, or the session has ended", "Sign in first"),
);

const expired = named(
  "SessionExpired",
  failure("ERR_IM_A_TEAPOT", "The access token was good and has expired: refresh it", "The session has expired"),
);

const crossSite = named(
  "CrossSite",
  failure("ERR_FORBIDDEN", "A browser makes the call from another site", "This call may only come from our own pages"),
);

export const reauthenticate = named("Reauthenticate", {
  when: "The last proof of who calls is more than ten minutes old: make `reauthenticate` first",
  error: reauthenticationNeeded(),
});

const stillRunning = named(
  "StillRunning",
  failure(
    "ERR_BAD_REQUEST",
    "The first call with this Idempotency-Key still runs",
    "The first call with this Idempotency-Key is still running",
    { httpStatus: 409, retryAfterSeconds: 2 },
  ),
);

const otherBody = named(
  "KeyOfOtherBody",
  failure(
    "ERR_UNPROCESSABLE_ENTITY",
    "The Idempotency-Key was used with another body",
    "This Idempotency-Key was used with another body",
  ),
);

const tooLarge = named(
  "TooLarge",
  failure("ERR_BAD_REQUEST", "The body has more than 64 KiB", "The request is too large", { httpStatus: 413 }),
);
const formTooLarge = named(
  "FormTooLarge",
  failure("ERR_BAD_REQUEST", "A file has more than 10 MiB", "A file is too large", {
    httpStatus: 413,
    data: { file: "size" },
  }),
);

const noJson = named(
  "NoJson",
  failure("ERR_BAD_REQUEST", "The body has another media type", "The body must be application/json", {
    httpStatus: 415,
  }),
);
const noForm = named(
  "NoForm",
  failure("ERR_BAD_REQUEST", "The body has another media type", "The body must be multipart/form-data", {
    httpStatus: 415,
  }),
);

const tooMany = named(
  "TooMany",
  failure("ERR_BAD_REQUEST", "Too many calls of this client in a minute", "Too many requests", {
    httpStatus: 429,
    retryAfterSeconds: 60,
  }),
);

const internal = named(
  "Internal",
  failure("ERR_INTERNAL_SERVER_ERROR", "Our fault; `traceId` finds it in our log", "Something went wrong on our side"),
);

const unavailable = named(
  "Unavailable",
  failure(
    "ERR_SERVICE_UNAVAILABLE",
    "The service is overloaded, restarts, or lacks its database",
    "Try again in a moment",
    {
      retryAfterSeconds: 5,
    },
  ),
);

/** How a call fails by what the contract says of it. */
export const sharedFailures = (call: Call): CallFailure[] => [
  ...(hasInput(call) && !call.body ? [] : [unreadable]),
  ...(call.isForSignedIn || call.usesSession ? [unauthorized, expired] : []),
  ...(call.method === "GET" ? [] : [crossSite]),
  ...(call.needsReauthentication ? [reauthenticate] : []),
  ...(call.idempotent ? [stillRunning, otherBody] : []),
  ...(call.body ? (call.isForm ? [formTooLarge, noForm] : [tooLarge, noJson]) : []),
  tooMany,
  internal,
  unavailable,
];

const hasInput = ({ params, query, body }: Call): boolean =>
  params !== undefined || query !== undefined || body !== undefined;
