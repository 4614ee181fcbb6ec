import { z } from "zod";

const reportSchema = z.union([
  z.object({ invalid: z.array(z.unknown()), missing: z.array(z.unknown()) }),
  z.object({ error: z.object({ code: z.string().optional(), summary: z.string() }) }),
]);

/** The registry, or Sigstore's keys, can't be reached, or this registry offers no signatures. */
const UNREACHABLE = /^(ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ERR_SOCKET_TIMEOUT|E40[0345]|E50\d|ENOAUDIT|ENOTSUP)$/;

export type SignatureVerdict = { isBad: boolean; text: string };

/** What `npm audit signatures --json` has found. What could not be checked is said, and is no failure: builds without a network exist. */
export function judgeSignatures(output: string): SignatureVerdict {
  const { data, error } = reportSchema.safeParse(readJson(output));
  if (data === undefined) return { isBad: true, text: `npm audit signatures can't be read: ${error.message}` };
  if ("error" in data) {
    const { code = "", summary } = data.error;
    const isBad = !UNREACHABLE.test(code);
    return { isBad, text: `the signatures of packages were NOT checked (${code}): ${summary}` };
  }
  const wrong = [...data.invalid, ...data.missing];
  if (wrong.length > 0) return { isBad: true, text: `packages without a valid signature: ${JSON.stringify(wrong)}` };
  return { isBad: false, text: "every package has a valid signature of its registry" };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
