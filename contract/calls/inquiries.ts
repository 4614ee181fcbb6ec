import { authorityBodySchema, contactBodySchema, inquiryAnswerSchema } from "../site/inquiries.ts";
import type { Call } from "./call.ts";

/** Longer than a mail server may take to say whether it has taken a mail. */
const TIMEOUT_MS = 60_000;

/** Messages to whoever runs the exchange. They are mailed before the call is answered; ERR_SERVICE_UNAVAILABLE says that they were not. */
export const inquiryCalls = {
  contact: {
    method: "POST",
    path: "/api/v1/inquiries/contact",
    summary: "Mails a message to whoever runs the exchange",
    timeoutMs: TIMEOUT_MS,
    body: contactBodySchema,
    answer: inquiryAnswerSchema,
    successStatus: 201,
  },
  authorityRequest: {
    method: "POST",
    path: "/api/v1/inquiries/authority",
    summary: "Mails an authority’s request and its file to whoever runs the exchange",
    timeoutMs: TIMEOUT_MS,
    body: authorityBodySchema,
    isForm: true,
    answer: inquiryAnswerSchema,
    successStatus: 201,
  },
} as const satisfies Record<string, Call>;
