import { StartupError } from "./startup-error.ts";

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EADDRINUSE", "another program listens there"],
  ["EACCES", "this user may not listen there"],
  ["EADDRNOTAVAIL", "this machine has no such address"],
]);

/** Says which port can't be listened on and why, where an operator can help that; throws anything else on. */
export function refuseListen(error: unknown, variable: string, { port, host }: { port: number; host: string }): never {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = REASONS.get(code);
  if (reason === undefined) throw error;
  throw new StartupError(`${code}: ${variable} ${port} at ${host} can't be used: ${reason}`, { cause: error });
}
