import type { Reference } from "../model/openapi.ts";

const DOCUMENT = "/api/v2/partner/openapi.json";
const TIMEOUT_MS = 15_000;

/** What the server says of its own calls. Throws where it can't be had. */
export async function loadReference(): Promise<Reference> {
  const [answer, { readReference }] = await Promise.all([
    fetch(DOCUMENT, { signal: AbortSignal.timeout(TIMEOUT_MS) }),
    import("../model/openapi.ts"),
  ]);
  if (!answer.ok) throw new Error(`the document of the partner API was answered ${answer.status}`);
  return readReference(await answer.json());
}
