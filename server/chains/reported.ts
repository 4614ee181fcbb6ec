import type { NetworkReader } from "./port.ts";
import type { NetworkStatus } from "./status.ts";

/** The same reader, whose every call to the node tells the status how it ended. */
export function reported(reader: NetworkReader, status: NetworkStatus): NetworkReader {
  const { networkTitle } = reader;
  const telling = async <Answer>(call: Promise<Answer>): Promise<Answer> => {
    const begunAt = performance.now();
    try {
      const answer = await call;
      status.report(networkTitle, true);
      return answer;
    } catch (error) {
      status.report(
        networkTitle,
        false,
        error instanceof Error ? error.message : String(error),
        performance.now() - begunAt,
      );
      throw error;
    }
  };
  return {
    ...reader,
    head: async () => {
      const head = await telling(reader.head());
      status.reportHead(networkTitle, head.hash);
      return head;
    },
    blockAt: (height) => telling(reader.blockAt(height)),
    estimateFee: (slug) => telling(reader.estimateFee(slug)),
  };
}
