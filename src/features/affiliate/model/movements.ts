import type { Credit, WalletWithdrawal } from "#contract/accounts/earnings.ts";

/** One line of the wallet: what came in, or what left. */
export type Movement = Credit | WalletWithdrawal;

export const isWithdrawal = (movement: Movement): movement is WalletWithdrawal => movement.source === null;

/** The newest of both lists; each has its own newest first. */
export const latest = (credits: readonly Credit[], withdrawals: readonly WalletWithdrawal[], count: number) =>
  [...credits, ...withdrawals]
    .toSorted((a: Movement, b: Movement) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    .slice(0, count);

/** Whether a movement changes the balance: what waits, was refused or taken back does not. */
export const counts = (movement: Movement): boolean =>
  isWithdrawal(movement) ? movement.status !== "REJECTED" : movement.status === "COMPLETED";

/** A withdrawal whose end is still to come. */
export const isOpen = ({ status }: WalletWithdrawal): boolean =>
  status === "PENDING" || status === "SENT" || status === "REVIEW";

/** Basis points as percent: 500 → `5`, 125 → `1.25`. */
export const percent = (bps: number): string => String(bps / 100);
