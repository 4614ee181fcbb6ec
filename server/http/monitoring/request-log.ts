import type { FastifyBaseLogger } from "fastify";

type ChildOptions = Parameters<FastifyBaseLogger["child"]>[1];
type Given = Parameters<FastifyBaseLogger["info"]>;

/** A request's log, made when its first line is written: most requests write none, and making one costs as much as answering them. */
export class RequestLog implements FastifyBaseLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Record<string, unknown>;
  readonly #options: ChildOptions;
  #made: FastifyBaseLogger | null = null;

  constructor(parent: FastifyBaseLogger, bindings: Record<string, unknown>, options: ChildOptions) {
    this.#parent = parent;
    this.#bindings = bindings;
    this.#options = options;
  }

  get level(): string {
    return this.#log().level;
  }

  set level(level: string) {
    this.#log().level = level;
  }

  fatal(...given: Given): void {
    this.#log().fatal(...given);
  }

  error(...given: Given): void {
    this.#log().error(...given);
  }

  warn(...given: Given): void {
    this.#log().warn(...given);
  }

  info(...given: Given): void {
    this.#log().info(...given);
  }

  debug(...given: Given): void {
    this.#log().debug(...given);
  }

  trace(...given: Given): void {
    this.#log().trace(...given);
  }

  silent(...given: Given): void {
    this.#log().silent(...given);
  }

  child(bindings: Record<string, unknown>, options?: ChildOptions): FastifyBaseLogger {
    return this.#log().child(bindings, options);
  }

  #log(): FastifyBaseLogger {
    return (this.#made ??= this.#parent.child(this.#bindings, this.#options));
  }
}
