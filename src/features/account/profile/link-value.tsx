import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import * as z from "zod/mini";
import type { KycStatus } from "#contract/accounts/verification.ts";
import { useSeen } from "../../../shared/account/last-seen.ts";
import { useMedia } from "../../../shared/browser/use-media.ts";
import { call } from "../../../shared/http/http.ts";
import { useReferrer, useWalletBalances } from "../earnings/api.ts";
import { mainBalance } from "../earnings/model/balances.ts";
import { percent } from "../earnings/model/movements.ts";
import { sumText } from "../earnings/parts/sum.ts";
import { useApiKeys } from "../keys/key-calls.ts";
import { useVerificationStatus } from "../verification/calls.ts";

type ValueProps = { readonly userId: number };

/** What a row of the phone's list says of its page; a page without an entry has nothing to say. */
const VALUES: Readonly<Record<string, (props: ValueProps) => ReactNode>> = {
  wallet: Balance,
  history: OrderCount,
  verification: Check,
  "affiliate-program": ReferralShare,
  cashback: CashbackShare,
  keys: KeyCount,
};

/** The value of one row, where the list is a page of its own; beside a page nothing is asked for. Empty until it is known. */
export function LinkValue({ page, userId }: ValueProps & { readonly page: string }) {
  const isList = useMedia("(width < 64em)");
  const Value = VALUES[page];
  return isList && Value !== undefined ? <Value userId={userId} /> : null;
}

function Balance({ userId }: ValueProps) {
  const balance = mainBalance(useWalletBalances(userId).data);
  return balance === undefined ? null : <span>{sumText(balance.balance, balance.currencyTitle)}</span>;
}

const totalSchema = z.int();

function OrderCount({ userId }: ValueProps) {
  const load = async () => (await call("orderHistory", { query: { offset: "0", limit: "1" } })).total;
  return <span>{useSeen(userId, "order count", totalSchema, load).data}</span>;
}

function ReferralShare({ userId }: ValueProps) {
  const { t } = useTranslation("account");
  const { data } = useReferrer(userId);
  return data === undefined ? null : <span>{t("value.share", { percent: percent(data.shareBps) })}</span>;
}

function CashbackShare({ userId }: ValueProps) {
  const { t } = useTranslation("account");
  const { data } = useReferrer(userId);
  return data === undefined ? null : <span>{t("value.share", { percent: percent(data.cashbackBps) })}</span>;
}

function KeyCount({ userId }: ValueProps) {
  return <span>{useApiKeys(userId).data?.length}</span>;
}

const NEEDS_PERSON: readonly KycStatus[] = ["REJECT"];

function Check({ userId }: ValueProps) {
  const { t } = useTranslation("account");
  const status = useVerificationStatus(userId).data?.status;
  if (status === undefined) return null;
  return (
    <span className={NEEDS_PERSON.includes(status) ? "w-profile__value--signal" : undefined}>
      {t(`value.${status}`)}
    </span>
  );
}
