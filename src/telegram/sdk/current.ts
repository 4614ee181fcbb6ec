import type { Messenger } from "./port.ts";

let current: Messenger | null = null;

/** The messenger around this page; null on the web, and until its client was reached. */
export const messenger = (): Messenger | null => current;

export function adoptMessenger(opened: Messenger): void {
  current = opened;
}
