import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import { operatorSchema, ratingSchema } from "#contract/site/pages.ts";
import { ConfigError } from "../base/processes/startup-error.ts";

const { email, links } = operatorSchema.shape;
const text = (max: number) => z.string().check(z.trim(), z.minLength(1), z.maxLength(max));
const inEachLanguage = (max: number) => z.strictObject({ en: text(max), ru: text(max) });
const orNone = <Schema extends z.ZodMiniType>(schema: Schema) => z._default(z.nullable(schema), null);

/** What the operator says of themselves (`SITE_FILE`). Everything may be left out: what is not said is not shown. */
const siteFileSchema = z.strictObject({
  company: z._default(
    z.nullable(z.strictObject({ name: text(120), registration: orNone(text(120)), address: orNone(text(240)) })),
    null,
  ),
  email: z._default(email, null),
  jurisdictions: z._default(
    z.strictObject({
      /** The law that the terms are under, as it stands after "under". */
      law: orNone(inEachLanguage(120)),
      /** The countries whose residents are not served, as a list in words. */
      excluded: orNone(inEachLanguage(1_000)),
    }),
    { law: null, excluded: null },
  ),
  links: z._default(links.check(z.maxLength(8)), []),
  rating: orNone(ratingSchema),
});
export type SiteFile = z.output<typeof siteFileSchema>;

export const NO_SITE_FILE: SiteFile = siteFileSchema.parse({});

/** Throws `ConfigError`, which names every wrong field. */
export function readSiteFile(file: string): SiteFile {
  const parsed = siteFileSchema.safeParse(readJson(file));
  if (parsed.success) return parsed.data;
  // A wrong address is wrong in its scheme and in its name.
  const issues = new Set(parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`.trim()));
  throw new ConfigError(`SITE_FILE ${file}: ${[...issues].join("; ")}`);
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigError(`SITE_FILE ${file} can't be read as JSON: ${String(error)}`, { cause: error });
  }
}
