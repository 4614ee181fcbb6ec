import { readFileSync } from "node:fs";
import { type RedirectRule, redirectsSchema } from "#contract/site/site.ts";
import { ConfigError } from "../base/processes/startup-error.ts";

/** Reads the file of server-defined redirects (spec §2, guard 6). Throws `ConfigError`. */
export function readRedirects(file: string): RedirectRule[] {
  const parsed = redirectsSchema.safeParse(readJsonFile(file));
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".")} ${message}`);
    throw new ConfigError(`REDIRECTS_FILE ${file}: ${issues.join("; ")}`);
  }
  refuseCircles(parsed.data, file);
  return parsed.data;
}

function readJsonFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new ConfigError(`REDIRECTS_FILE ${file} can't be read as JSON: ${String(error)}`, { cause: error });
  }
}

/** Two rules for one path, and rules that lead back to where they began, would never end. */
function refuseCircles(rules: readonly RedirectRule[], file: string): void {
  const targets = new Map<string, string>();
  for (const { from, to } of rules) {
    if (targets.has(from)) throw new ConfigError(`REDIRECTS_FILE ${file}: two rules for ${from}`);
    targets.set(from, to.replace(/[?#].*$/, ""));
  }
  for (const from of targets.keys()) {
    const seen = new Set<string>();
    for (let at: string | undefined = from; at !== undefined; at = targets.get(at)) {
      if (seen.has(at)) throw new ConfigError(`REDIRECTS_FILE ${file}: ${from} leads in a circle`);
      seen.add(at);
    }
  }
}
