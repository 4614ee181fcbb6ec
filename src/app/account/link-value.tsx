import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { KycStatus } from "#contract/accounts/verification.ts";
import { useMedia } from "../../shared/browser/use-media.ts";
import { useReferrer, useWalletBalances } from "../../features/affiliate/api.ts";
import { mainBalance } from "../../features/affiliate/model/balances.ts";
import { percent } from "../../features/affiliate/model/movements.ts";
import { sumText } from "../../features/affiliate/parts/sum.ts";
import { useApiKeys } from "../../features/account/keys/api.ts";
import { useOrderCount } from "../../features/order/history/api.ts";
import { useVerificationStatus } from "../../features/verification/api.ts";

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

function OrderCount({ userId }: ValueProps) {
  return <span>{useOrderCount(userId).data}</span>;
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
