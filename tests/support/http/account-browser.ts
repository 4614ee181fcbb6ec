import type { BodyInput, CallName } from "#contract/calls.ts";
import { calls, type Call } from "#contract/calls.ts";
import { PUBLIC_URL, type TestApp } from "./http-app.ts";

export type AccountReply = {
  http: number;
  body: Record<string, unknown>;
  setCookies: readonly string[];
  retryAfter: string | undefined;
};

/** A browser with the cookies that the server sets, each sent to its own path only. */
export class AccountBrowser {
  readonly cookies = new Map<string, { value: string; path: string }>();
  /** Its address. */
  address: string;
  private readonly app: TestApp;

  constructor(app: TestApp, address = "192.0.2.1") {
    this.app = app;
    this.address = address;
  }

  async send<Name extends CallName>(
    name: Name,
    body?: BodyInput<Name>,
    headers: Record<string, string> = {},
  ): Promise<AccountReply> {
    const call: Call = calls[name];
    const sent = [...this.cookies].filter(([, { path }]) => call.path.startsWith(path));
    const answer = await this.app.inject({
      method: call.method,
      url: call.path,
      remoteAddress: this.address,
      headers: {
        origin: PUBLIC_URL,
        ...(sent.length > 0 && { cookie: sent.map(([key, { value }]) => `${key}=${value}`).join("; ") }),
        ...headers,
      },
      ...(body !== undefined && { payload: body as object }),
    });
    for (const { name: key, value, path = "/", maxAge } of answer.cookies)
      if (maxAge === 0 || value === "") this.cookies.delete(key);
      else this.cookies.set(key, { value, path });
    const setCookies = [answer.headers["set-cookie"] ?? []].flat();
    const read: Record<string, unknown> = answer.json();
    return { http: answer.statusCode, body: read, setCookies, retryAfter: answer.headers["retry-after"]?.toString() };
  }

  /** What a GET answers: read as JSON, unless the call says another kind. */
  async read(
    name: CallName,
    query: Record<string, string> = {},
  ): Promise<{ http: number; type: string; body: unknown }> {
    const call: Call = calls[name];
    const cookie = [...this.cookies].map(([key, { value }]) => `${key}=${value}`).join("; ");
    const headers = { ...(cookie !== "" && { cookie }) };
    const answer = await this.app.inject({
      method: "GET",
      url: call.path,
      query,
      remoteAddress: this.address,
      headers,
    });
    const isText = call.mediaType !== undefined && answer.statusCode === 200;
    const body: unknown = isText ? answer.body : answer.json();
    return { http: answer.statusCode, type: String(answer.headers["content-type"]), body };
  }

  cookie(name: string): string | undefined {
    return this.cookies.get(name)?.value;
  }

  /** The same browser with another tab's cookies of now. */
  copy(): AccountBrowser {
    const other = new AccountBrowser(this.app, this.address);
    for (const [name, cookie] of this.cookies) other.cookies.set(name, cookie);
    return other;
  }
}
