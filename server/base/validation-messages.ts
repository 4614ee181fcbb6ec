import { config, locales } from "zod/mini";

const english = locales.en().localeError;

// zod/mini says only "Invalid input" until it is given a language. A caller reads no regular expression: schemas have sentences of their own.
config({
  localeError: (issue) =>
    issue.code === "invalid_format" && issue.format === "regex" ? "is not written as it has to be" : english(issue),
});
