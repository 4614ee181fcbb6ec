import { createQueue } from "../base/concurrency/queue.ts";
import { CodedError } from "#contract/errors.ts";
import type { DrawPicture } from "./draw.ts";
import type { PictureFacts } from "./facts.ts";

export type Pictures = {
  /** Whether it is drawn already, so that it costs nothing. */
  has(facts: PictureFacts): boolean;
  /** The picture as PNG. ERR_SERVICE_UNAVAILABLE while too many others wait to be drawn. */
  find(facts: PictureFacts): Promise<Buffer>;
};

/** At some 50 kB each. */
const MAX_KEPT = 200;
const MAX_WAITING = 16;
const BUSY_RETRY_SECONDS = 5;

/** Keeps the pictures that were asked for last, and draws the others one at a time: each costs a tenth of a second. */
export function createPictures(draw: DrawPicture, { kept = MAX_KEPT, waiting = MAX_WAITING } = {}): Pictures {
  const pictures = new Map<string, Promise<Buffer>>();
  const inTurn = createQueue();
  let drawing = 0;

  const keep = (key: string, picture: Promise<Buffer>): Promise<Buffer> => {
    pictures.delete(key);
    pictures.set(key, picture);
    const [oldest] = pictures.keys();
    if (pictures.size > kept && oldest !== undefined) pictures.delete(oldest);
    return picture;
  };

  const drawInTurn = async (key: string, facts: PictureFacts): Promise<Buffer> => {
    drawing += 1;
    try {
      return await inTurn(() => draw(facts));
    } catch (error) {
      pictures.delete(key);
      throw error;
    } finally {
      drawing -= 1;
    }
  };

  return {
    has: (facts) => pictures.has(JSON.stringify(facts)),
    async find(facts) {
      const key = JSON.stringify(facts);
      const known = pictures.get(key);
      if (known !== undefined) return keep(key, known);
      if (drawing >= waiting)
        throw new CodedError("ERR_SERVICE_UNAVAILABLE", "Too many pictures are asked for right now", {
          retryAfterSeconds: BUSY_RETRY_SECONDS,
        });
      return keep(key, drawInTurn(key, facts));
    },
  };
}
