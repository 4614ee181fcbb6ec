import { CodedError } from "#contract/errors.ts";

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly key: string | null;
};
type Answer = (asked: Asked) => unknown;

/** The service at the other end of `fetch`: answers each path as the test says, refuses with a CodedError, and may be gone. */
export function createFakeService(answers: Record<string, Answer>) {
  const asked: Asked[] = [];
  const service = {
    asked,
    answers,
    isGone: false,
    /** What was asked of a path, such as `POST /api/v1/affiliates/withdrawals`. */
    askedOf: (route: string) => asked.filter(({ method, path }) => `${method} ${path}` === route),
    fetch: async (request: Request): Promise<Response> => {
      const { pathname, searchParams } = new URL(request.url);
      const text = await request.text();
      const call: Asked = {
        method: request.method,
        path: pathname,
        query: searchParams,
        body: text === "" ? null : JSON.parse(text),
        key: request.headers.get("idempotency-key"),
      };
      asked.push(call);
      const answer = service.answers[`${call.method} ${call.path}`];
      if (service.isGone) throw new TypeError("Failed to fetch");
      if (answer === undefined) throw new Error(`nobody expected ${call.method} ${call.path}`);
      try {
        return Response.json(await answer(call), { status: call.method === "POST" ? 201 : 200 });
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        const { code: status, message, data } = error;
        return Response.json({ status, message, data, traceId: "t" }, { status: error.httpStatus });
      }
    },
  };
  return service;
}
