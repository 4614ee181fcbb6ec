import type { OwnerMessage } from "./message.ts";
import type { OutboxRow } from "./outbox/outbox.ts";
import type { Outcome } from "./port.ts";

/** Hands one message over by one channel. A failure to do so is an outcome; what is thrown counts as a message that could not be written. */
export type Courier = (message: OwnerMessage, row: OutboxRow, signal: AbortSignal) => Promise<Outcome>;
