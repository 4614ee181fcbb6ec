import { z } from "zod";
import { ConfigError } from "../base/processes/startup-error.ts";
import type { Values } from "./values.ts";

const CONTACTS = /^\s*(?:mailto:|https:\/\/|tel:)[^\s,]+(?:\s*,\s*(?:mailto:|https:\/\/|tel:)[^\s,]+)*\s*$/;

export const securityContactVariables = {
  SECURITY_CONTACT: z
    .string()
    .regex(CONTACTS, "must be addresses that begin with mailto:, https:// or tel:, with commas between them")
    .transform((text) => text.split(",").map((part) => part.trim()))
    .optional(),
  SECURITY_EXPIRES: z.iso.datetime({ offset: true, error: "must be a time such as 2027-06-30T00:00:00Z" }).optional(),
};

/** Who is notified of a weakness, and until when that is true; null where the operator names nobody. */
export type SecurityContact = Readonly<{ contacts: readonly string[]; expires: Date }> | null;

/** RFC 9116 demands both. Throws `ConfigError` for one without the other: nobody invents the operator's. */
export function securityContact(value: Values<typeof securityContactVariables>): SecurityContact {
  const { SECURITY_CONTACT: contacts, SECURITY_EXPIRES: expires } = value;
  if (contacts === undefined && expires === undefined) return null;
  if (contacts === undefined || expires === undefined)
    throw new ConfigError("SECURITY_CONTACT and SECURITY_EXPIRES belong together: set both or neither");
  return Object.freeze({ contacts: Object.freeze(contacts), expires: new Date(expires) });
}
