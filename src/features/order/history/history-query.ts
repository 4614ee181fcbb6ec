import { ORDER_STATES, type OrderStateFilter } from "#contract/accounts/order-history.ts";

/** What the list is narrowed by and where it is, as the page's own query has it. */
export type HistoryQuery = {
  readonly state: OrderStateFilter | null;
  /** Days of the reader, `2026-11-21`, both included. */
  readonly from: string | null;
  readonly to: string | null;
  /** Of a reference, a ticker or a coin's name; empty for all. */
  readonly search: string;
  /** From 1. */
  readonly page: number;
};

export const PAGE_SIZE = 20;
const DAY = /^\d{4}-\d\d-\d\d$/;
const MAX_SEARCH = 64;
const MAX_PAGE = 1_000_000;

/** What makes no sense is left out: somebody may have typed the URL. */
export function readHistoryQuery(search: string): HistoryQuery {
  const query = new URLSearchParams(search);
  const day = (name: string): string | null => {
    const text = query.get(name) ?? "";
    return DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : null;
  };
  const page = /^\d{1,7}$/.test(query.get("page") ?? "") ? Number(query.get("page")) : 1;
  return {
    state: ORDER_STATES.find((state) => state === query.get("state")) ?? null,
    from: day("from"),
    to: day("to"),
    search: (query.get("search") ?? "").trim().slice(0, MAX_SEARCH),
    page: Math.min(Math.max(1, page), MAX_PAGE),
  };
}

/** The query of the page, empty for the whole list from its start. */
export function writeHistoryQuery({ state, from, to, search, page }: HistoryQuery): string {
  const query = new URLSearchParams({
    ...(state !== null && { state }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
    ...(search !== "" && { search }),
    ...(page > 1 && { page: String(page) }),
  });
  return query.size === 0 ? "" : `?${query.toString()}`;
}

type Filter = { state?: OrderStateFilter; from?: string; to?: string; search?: string };

/** What is asked of the service: days begin and end where the reader is. */
export function filterOf({ state, from, to, search }: HistoryQuery): Filter {
  return {
    ...(state !== null && { state }),
    ...(from !== null && { from: midnight(from, 0) }),
    ...(to !== null && { to: midnight(to, 1) }),
    ...(search !== "" && { search }),
  };
}

export const isNarrowed = ({ state, from, to, search }: HistoryQuery): boolean =>
  state !== null || from !== null || to !== null || search !== "";

/** The beginning of a day, or of one some days later, by this device's clock. */
function midnight(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

const MAX_LINKS = 7;

/** The pages that the list links to, null where some are left out: the first, the last, and those around this one. */
export function pageLinks(page: number, count: number): (number | null)[] {
  const all = Array.from({ length: count }, (_, at) => at + 1);
  if (count <= MAX_LINKS) return all;
  const linked = all.filter((one) => one === 1 || one === count || Math.abs(one - page) <= 1);
  return linked.flatMap((one, at) => (at > 0 && one - (linked[at - 1] ?? 0) > 1 ? [null, one] : [one]));
}
