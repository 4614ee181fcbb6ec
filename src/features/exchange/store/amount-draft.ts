import { cleanAmount } from "../../../shared/format/amount-input.ts";
import { AMOUNT_DRAFT_KEY } from "../../../shared/browser/exchange-draft.ts";
import { sessionStore } from "../../../shared/browser/storage.ts";
import type { Side } from "../model/calculator-url.ts";

/** What a calculator counts, of its state. */
type Counted = { from: string; to: string; side: Side; typed: string; isDefaultAmount: boolean };

/** An address that names another amount is another page. Without its language, which may be changed meanwhile. */
const pageOf = ({ from, to }: Counted): string =>
  `${from}-${to}${(globalThis as Partial<typeof globalThis>).location?.search ?? ""}`;

/** Keeps the amount that is typed for as long as the tab lives: a reload, another language and Back find it again. */
export const saveAmount = (state: Counted): void =>
  sessionStore.set(AMOUNT_DRAFT_KEY, `${pageOf(state)} ${state.side} ${state.typed}`);

/** Counts in what was typed on this page before; after hydration, because the server doesn't know it. */
export function restoreAmount(state: Counted): void {
  const [page, side, typed] = sessionStore.get(AMOUNT_DRAFT_KEY)?.split(" ") ?? [];
  if (typed === undefined || page !== pageOf(state)) return;
  state.side = side === "to" ? "to" : "from";
  state.typed = cleanAmount(typed);
  state.isDefaultAmount = false;
}
