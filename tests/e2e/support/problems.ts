import type { BrowserContext, ConsoleMessage, Request, Response } from "@playwright/test";

/** What a test expects to go wrong, and nothing beyond it. */
export type Expected = {
  /** The end of the address's path, or a pattern for the whole address. */
  readonly url: string | RegExp;
  /** An HTTP status, or `failed` for a request that gets no answer. */
  readonly as: number | "failed";
};

const LOAD_FAILED = /^Failed to load resource: (?:the server responded with a status of (\d+)|net::)/;

/**
 * Sees everything that goes wrong in a context: console errors and warnings (hydration's, React's and the content
 * policy's among them), exceptions, answers of 400 and more, and requests of our own without an answer.
 */
export class Problems {
  readonly #found: { text: string; url: string; as: Expected["as"] | null }[] = [];
  readonly #expected: Expected[] = [];
  readonly #said: RegExp[] = [];

  watch(context: BrowserContext): void {
    context.on("console", (message) => this.#console(message));
    context.on("weberror", (error) => this.#add(`exception: ${error.error().stack ?? error.error().message}`));
    context.on("response", (response) => this.#response(response));
    context.on("requestfailed", (request) => this.#failed(request));
  }

  /** From now on this request may fail in this way, and the console may report it. */
  expect(expected: Expected): void {
    this.#expected.push(expected);
  }

  /** From now on the app itself may say this on the console. */
  expectSaid(text: RegExp): void {
    this.#said.push(text);
  }

  /** Everything unexpected. */
  list(): string[] {
    return this.#found.filter((problem) => !this.#isExpected(problem)).map(({ text }) => text);
  }

  #isExpected({ text, url, as }: { text: string; url: string; as: Expected["as"] | null }): boolean {
    if (as === null) return this.#said.some((said) => said.test(text));
    return this.#expected.some(
      (expected) =>
        expected.as === as &&
        (typeof expected.url === "string" ? pathOf(url).endsWith(expected.url) : expected.url.test(url)),
    );
  }

  #add(text: string, url = "", as: Expected["as"] | null = null): void {
    this.#found.push({ text, url, as });
  }

  #console(message: ConsoleMessage): void {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const { url } = message.location();
    const failure = LOAD_FAILED.exec(message.text());
    const as = failure === null ? null : failure[1] === undefined ? "failed" : Number(failure[1]);
    this.#add(`console ${message.type()}: ${message.text()} (${url})`, url, as);
  }

  #response(response: Response): void {
    if (response.status() < 400) return;
    this.#add(
      `${response.status()} ${response.request().method()} ${response.url()}`,
      response.url(),
      response.status(),
    );
  }

  #failed(request: Request): void {
    const reason = request.failure()?.errorText ?? "";
    // Aborted by the page itself, as when it is left.
    if (reason === "net::ERR_ABORTED") return;
    this.#add(`no answer (${reason}): ${request.method()} ${request.url()}`, request.url(), "failed");
  }
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);
