import { childRequestSchema, type ChildReport, type ChildRequest } from "./child-messages.ts";

/** The process that started this one. */
export type ParentProcess = {
  report(report: ChildReport): void;
  on(kind: Exclude<ChildRequest["kind"], "ping">, listener: () => void): void;
};

/**
 * Follows the process that started this one by `supervised-child.ts`: ends with it, however it dies, and leaves signals to it, because a
 * terminal or a service manager sends them to both.
 */
export function followParent(): ParentProcess {
  const listeners = new Map<ChildRequest["kind"], () => void>();
  const report = (given: ChildReport): void => void process.send?.(given, () => undefined);
  // Nothing is lost: every step is a committed row, as for kill -9 of this process.
  process.on("disconnect", () => process.exit(1));
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => undefined);
  process.on("message", (message) => {
    const { data } = childRequestSchema.safeParse(message);
    if (data?.kind === "ping") report({ kind: "pong" });
    else if (data !== undefined) listeners.get(data.kind)?.();
  });
  return {
    report,
    on: (kind, listener) => void listeners.set(kind, listener),
  };
}
