import { createReadBudget, type ReadBudget, type ReadShare } from "./read-budget.ts";

/** Several times a full block of any network as JSON, or the longest list that a partner answers with. */
const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;
/** Of all answers that this process is reading: each of many servers may answer without end. */
const together = createReadBudget(2 * DEFAULT_MAX_BYTES);

/**
 * `fetch` for servers that we don't run: follows no redirect, which could take keys and payments to another host, and reads the answer itself,
 * up to `maxBytes`, or one could take all memory. Both fail as a lost connection does.
 */
export function boundedFetch(maxBytes: number = DEFAULT_MAX_BYTES, budget: ReadBudget = together): typeof fetch {
  return async (input, init) => {
    const stop = new AbortController();
    const signal = init?.signal ? AbortSignal.any([init.signal, stop.signal]) : stop.signal;
    const answer = await fetch(input, { ...init, redirect: "error", signal });
    const share = budget.open((why) => stop.abort(why));
    try {
      if (Number(answer.headers.get("content-length") ?? 0) > maxBytes) throw tooLong(maxBytes);
      if (answer.body === null) return answer;
      return new Response(await readWithin(answer.body, maxBytes, share), answer);
    } catch (error) {
      stop.abort(error);
      throw error;
    } finally {
      share.close();
    }
  };
}

const tooLong = (maxBytes: number): Error => new Error(`the answer is longer than ${maxBytes} bytes`);

async function readWithin(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
  share: ReadShare,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of body) {
    share.add(chunk.byteLength);
    if (share.bytes > maxBytes) throw tooLong(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
