// Not of zod/mini: zod itself sets its texts when it is first imported, which has to be before.
import { config, type core, locales } from "zod";

const english = locales.en().localeError;

const COUNTED: Readonly<Record<string, string>> = { string: "characters", array: "items", set: "items", file: "bytes" };
const KINDS: Readonly<Record<string, string>> = {
  array: "a list",
  bigint: "a whole number",
  boolean: "true or false",
  file: "a file",
  int: "a whole number",
  number: "a number",
  object: "an object",
  record: "an object",
  string: "a text",
};
const FORMATS: Readonly<Record<string, string>> = {
  datetime: "an ISO-8601 date and time",
  date: "an ISO-8601 date",
  email: "an email address",
  hex: "hexadecimal digits",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  url: "a URL",
  uuid: "a UUID",
};

// zod/mini says only "Invalid input" until it is given a language. A reason ends the sentence that its field begins, as those of the schemas do.
config({ localeError: (issue) => reasonOf(issue) ?? english(issue) });

/** What is wrong with a value, in the words of the API; null for what no schema here asks. */
function reasonOf(issue: core.$ZodRawIssue): string | null {
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined) return "is missing";
      return `must be ${KINDS[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "too_small":
      return bound(issue.origin, issue.inclusive === false ? "more than" : "at least", issue.minimum);
    case "too_big":
      return bound(issue.origin, issue.inclusive === false ? "less than" : "at most", issue.maximum);
    case "invalid_format":
      // A caller reads no regular expression: schemas have sentences of their own.
      return issue.format in FORMATS ? `must be ${FORMATS[issue.format]}` : "is not written as it has to be";
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.join(", ")}`;
    case "invalid_union":
      return "has none of the allowed forms";
    default:
      return null;
  }
}

const bound = (origin: string, limit: string, value: number | bigint): string =>
  origin in COUNTED ? `must have ${limit} ${value} ${COUNTED[origin]}` : `must be ${limit} ${value}`;
