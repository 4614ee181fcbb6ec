import type { inquiryCalls } from "#contract/calls/inquiries.ts";
import type { Handlers } from "../../base/routes.ts";
import type { Inquiries } from "./inquiries.ts";

export const inquiryHandlers = (inquiries: Inquiries): Pick<Handlers, keyof typeof inquiryCalls> => ({
  contact: ({ body, caller }) => inquiries.contact(caller, body),
  authorityRequest: ({ body, caller }) => inquiries.authority(caller, body),
});
