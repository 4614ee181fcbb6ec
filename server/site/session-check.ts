import type { FastifyRequest } from "fastify";
import { CodedError } from "#contract/errors.ts";
import { accessTokenOf } from "../http/cookies.ts";

/**
 * Whether a page is asked for in a live session: one whose token has expired counts, since the browser renews it (contract §4).
 * Whatever else goes wrong makes the page a guest's.
 */
export const createSessionCheck =
  (authenticate: (token: string) => Promise<unknown>) =>
  async (request: Pick<FastifyRequest, "headers" | "log">): Promise<boolean> => {
    const token = accessTokenOf(request.headers.cookie);
    if (token === null) return false;
    try {
      await authenticate(token);
      return true;
    } catch (error) {
      if (error instanceof CodedError) return error.code === "ERR_IM_A_TEAPOT";
      request.log.error({ err: error }, "a page's session can't be looked up");
      return false;
    }
  };
