import { DEFAULT_AMOUNTS, type ExchangeKind, isFiat } from "../model/kind.ts";
import { instrumentOf, isPairOffered, kindOfState } from "./selectors.ts";
import type { Side } from "../model/calculator-url.ts";
import { type Catalogue, type ExchangeState, selectCoin, setPair, swapCoins } from "./state.ts";

/** Makes the calculator one of another kind: its coin stays where it can, and the amount is the kind's first one. */
export function selectKind(catalogue: Catalogue, state: ExchangeState, kind: ExchangeKind): void {
  const now = kindOfState(catalogue, state);
  if (kind === now) return;
  if (now === "exchange") state.coins = { from: state.from, to: state.to, side: state.side, typed: state.typed };
  const next = nextPair(catalogue, state, now, kind);
  if (next === null) return;
  const before = kind === "exchange" ? state.coins : null;
  setPair(state, next.from, next.to);
  if (kind !== "exchange") state.rateMode = "FLOATING";
  state.side = before?.side ?? "from";
  state.typed = before?.typed ?? DEFAULT_AMOUNTS[kind];
  state.isDefaultAmount = before === null;
}

type Pair = { from: string; to: string };

/** The first pair of the kind that is offered, beginning with what is chosen now; null where none is. */
function nextPair(catalogue: Catalogue, state: ExchangeState, now: ExchangeKind, kind: ExchangeKind): Pair | null {
  const { instruments } = catalogue;
  const slugsOf = (wanted: boolean) => instruments.flatMap((one) => (isFiat(one) === wanted ? [one.slug] : []));
  const [money, coins] = [slugsOf(true), slugsOf(false)];
  // What is bought is what was to be got; what is sold is what was to be sent.
  const isCoinSent = now === "sell" || (now === "exchange" && kind === "sell");
  const [coin, other] = isCoinSent ? [state.from, state.to] : [state.to, state.from];
  if (kind === "exchange")
    return state.coins ?? firstOffered(catalogue, now === "sell" ? [coin] : coins, now === "sell" ? coins : [coin]);
  const wantedMoney = now === "exchange" ? money : [other, ...money];
  const wantedCoins = now === "exchange" ? [coin, other, ...coins] : [coin];
  return kind === "buy"
    ? firstOffered(catalogue, wantedMoney, wantedCoins)
    : firstOffered(catalogue, wantedCoins, wantedMoney);
}

function firstOffered(catalogue: Catalogue, froms: readonly string[], tos: readonly string[]): Pair | null {
  for (const from of froms)
    for (const to of tos) if (from !== to && isPairOffered(catalogue, from, to)) return { from, to };
  return null;
}

/** Puts a coin or money on a side. Money on both sides is not exchanged: the coin goes to the other one. */
export function chooseInstrument(catalogue: Catalogue, state: ExchangeState, side: Side, slug: string): void {
  const { from, to } = state;
  const before = kindOfState(catalogue, state);
  const other = instrumentOf(catalogue, side === "from" ? to : from);
  if (slug !== other.slug && isFiat(instrumentOf(catalogue, slug)) && isFiat(other)) swapCoins(state);
  selectCoin(state, side, slug);
  const after = kindOfState(catalogue, state);
  if (after !== "exchange") state.rateMode = "FLOATING";
  if (after === before || (state.from === to && state.to === from)) return;
  if (before === "exchange") state.coins = { from, to, side: state.side, typed: state.typed };
  Object.assign(state, { side: "from", typed: DEFAULT_AMOUNTS[after], isDefaultAmount: true });
}
