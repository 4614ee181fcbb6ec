import { setBounded } from "../base/bounded-map.ts";
import { OverloadError } from "../base/overload-error.ts";
import { BusyError, createRenderQueue, type RequestClient } from "../base/concurrency/render-queue.ts";
import type { DrawPicture } from "./draw.ts";
import type { PictureFacts } from "./facts.ts";

export type Pictures = {
  /** Whether it is drawn already, so that it costs nothing. */
  has(facts: PictureFacts): boolean;
  /** The picture as PNG. An `OverloadError` while too many others wait to be drawn, of this client or of all. */
  find(facts: PictureFacts, client: RequestClient): Promise<Buffer>;
};

/** At some 50 kB each. */
const MAX_KEPT = 200;
const MAX_WAITING = 16;
const WAITING_OF_CLIENT = 3;
const BUSY_RETRY_SECONDS = 5;

/** Keeps the pictures that were asked for last, and draws the others one at a time: each costs a tenth of a second. */
export function createPictures(
  draw: DrawPicture,
  { kept = MAX_KEPT, waiting = MAX_WAITING, waitingOfClient = WAITING_OF_CLIENT } = {},
): Pictures {
  const drawn = new Map<string, Buffer>();
  const drawing = new Map<string, Promise<Buffer>>();
  const queue = createRenderQueue({ atATime: 1, waiting, waitingOfClient });

  const keep = (key: string, picture: Buffer): Buffer => {
    setBounded(drawn, key, picture, kept);
    return picture;
  };

  const drawInTurn = async (key: string, facts: PictureFacts, client: RequestClient): Promise<Buffer> => {
    try {
      return keep(key, await queue.run(client, () => draw(facts)));
    } catch (error) {
      if (!(error instanceof BusyError)) throw error;
      throw new OverloadError("Too many pictures are asked for right now", BUSY_RETRY_SECONDS);
    } finally {
      drawing.delete(key);
    }
  };

  return {
    has(facts) {
      const key = JSON.stringify(facts);
      return drawn.has(key) || drawing.has(key);
    },
    async find(facts, client) {
      const key = JSON.stringify(facts);
      const known = drawn.get(key);
      if (known !== undefined) return keep(key, known);
      const picture = drawing.get(key) ?? drawInTurn(key, facts, client);
      drawing.set(key, picture);
      return picture;
    },
  };
}
