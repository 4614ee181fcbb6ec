import type { Hex } from "viem";
import { NATIVE_GAS } from "./fees.ts";
import type { Receipt } from "./schemas.ts";

/** Legacy, with an access list, and with the fees of EIP-1559. Others do something beside, as authorise code for an account (EIP-7702). */
const PLAIN_TYPES = new Set(["0x0", "0x1", "0x2"]);

type Call = { to?: string | null | undefined; type?: string | null | undefined; input?: string | null | undefined };

/** Whether a transaction asks for nothing but a move of the coin of `from` to itself. */
export const asksOnlyItself = ({ to, type, input }: Call, from: Hex): boolean =>
  to === from && input === "0x" && type != null && PLAIN_TYPES.has(type);

/** Whether one that asks for no more has done no more: an account that code was authorised for before runs it also for a plain transfer. */
export const ranNothing = ({ gasUsed }: Pick<Receipt, "gasUsed">): boolean => gasUsed === NATIVE_GAS;
