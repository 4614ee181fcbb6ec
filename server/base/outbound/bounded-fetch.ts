/** More than any block, list or history that a node or a partner answers with. */
const DEFAULT_MAX_BYTES = 128 * 1024 * 1024;

/**
 * `fetch` for servers that we don't run: follows no redirect, which could take keys and payments to another host, and stops
 * reading after `maxBytes`, or one answer could take all memory. Both fail as a lost connection does.
 */
export function boundedFetch(maxBytes: number = DEFAULT_MAX_BYTES): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, { ...init, redirect: "error" });
    if (Number(answer.headers.get("content-length") ?? 0) > maxBytes) {
      await answer.body?.cancel();
      throw new Error(`the answer is longer than ${maxBytes} bytes`);
    }
    if (answer.body === null) return answer;
    return new Response(answer.body.pipeThrough(limitedTo(maxBytes)), answer);
  };
}

function limitedTo(maxBytes: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let read = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      read += chunk.byteLength;
      if (read > maxBytes) controller.error(new Error(`the answer is longer than ${maxBytes} bytes`));
      else controller.enqueue(chunk);
    },
  });
}
