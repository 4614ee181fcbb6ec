import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Credit } from "#contract/accounts/earnings.ts";
import type { Seen } from "../../../shared/account/last-seen.ts";
import { useDeposits, useWithdrawals } from "../api.ts";
import { latest } from "../model/movements.ts";
import { PagedList } from "./paged-list.tsx";

type CreditListProps = {
  readonly userId: number;
  readonly title: string;
  readonly emptyText: string;
  readonly usePage: (userId: number, offset: number) => Seen<{ items: Credit[]; total: number }>;
};

/** What came into the wallet, of one kind or of all. */
export function CreditList({ userId, title, emptyText, usePage }: CreditListProps) {
  const [offset, setOffset] = useState(0);
  const page = usePage(userId, offset);
  return (
    <PagedList userId={userId} title={title} page={page} offset={offset} onOffset={setOffset} emptyText={emptyText} />
  );
}

/** What left the wallet, or is about to. */
export function WithdrawalList({ userId }: { readonly userId: number }) {
  const { t } = useTranslation("earnings");
  const [offset, setOffset] = useState(0);
  const page = useWithdrawals(userId, offset);
  return (
    <PagedList
      userId={userId}
      title={t("withdraw.history")}
      page={page}
      offset={offset}
      onOffset={setOffset}
      emptyText={t("withdraw.empty")}
    />
  );
}

const LATEST = 10;

/** The newest of what came in and what left. */
export function LatestList({ userId }: { readonly userId: number }) {
  const { t } = useTranslation("earnings");
  const deposits = useDeposits(userId, 0);
  const withdrawals = useWithdrawals(userId, 0);
  const page = joined(deposits, withdrawals, (credits, debits) => {
    const items = latest(credits.items, debits.items, LATEST);
    return { items, total: items.length };
  });
  return (
    <PagedList userId={userId} title={t("wallet.movements")} page={page} offset={null} emptyText={t("wallet.empty")} />
  );
}

/** Two of the account's answers as one, as old as the older. */
function joined<A, B, Joined>(a: Seen<A>, b: Seen<B>, join: (a: A, b: B) => Joined): Seen<Joined> {
  return {
    data: a.data === undefined || b.data === undefined ? undefined : join(a.data, b.data),
    seenAt: [a.seenAt, b.seenAt].filter((at) => at !== null).toSorted()[0] ?? null,
    hasFailed: a.hasFailed || b.hasFailed,
    isLoading: a.isLoading || b.isLoading,
    reload: async () => void (await Promise.all([a.reload(), b.reload()])),
  };
}
