import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Note, Skeleton, AddressGroups, Button, Dialog } from "../../../shared/ui/index.ts";
import type { ProfilePageProps } from "../../../shared/account/profile-page-props.ts";
import { isSameInstrument, useInstruments, useWalletBalances, useWithdrawalTerms } from "../api.ts";
import { mainBalance } from "../model/balances.ts";
import { BalanceHead } from "../parts/balance-head.tsx";
import { WithdrawalList } from "../parts/movement-lists.tsx";
import { SeenNote } from "../../../shared/account/seen-note.tsx";
import { MonthlyPayoutSection } from "./monthly-payout.tsx";
import type { Withdrawn } from "./use-withdrawal.ts";
import { WithdrawForm } from "./withdraw-form.tsx";
import { sumText } from "../parts/sum.ts";
import "./withdraw.css";

/** `/profile/withdraw`: the form, and what was withdrawn before. */
export function WithdrawPage({ account: { userId } }: ProfilePageProps) {
  const [withdrawn, setWithdrawn] = useState<Withdrawn | null>(null);
  const balances = useWalletBalances(userId);
  const terms = useWithdrawalTerms(userId);
  const balance = mainBalance(balances.data);
  const term = terms.data?.find((one) => balance !== undefined && isSameInstrument(one, balance));
  return (
    <>
      <SeenNote of={[balances, terms]} />
      <BalanceHead balance={balance} hasFailed={balances.hasFailed} minimum={term?.minimum} />
      {balance === undefined || terms.data === undefined ? (
        balances.hasFailed || terms.hasFailed ? null : (
          <Skeleton width="100%" height={240} />
        )
      ) : (
        <Form userId={userId} balance={balance} term={term} onWithdrawn={setWithdrawn} />
      )}
      <WithdrawalList userId={userId} />
      <SuccessDialog withdrawn={withdrawn} onClose={() => setWithdrawn(null)} />
    </>
  );
}

type FormProps = Pick<Parameters<typeof WithdrawForm>[0], "userId" | "balance" | "onWithdrawn"> & {
  readonly term: Parameters<typeof WithdrawForm>[0]["terms"] | undefined;
};

/** The form, once the catalogue has named the network; and why there is none. */
function Form({ balance, term, ...props }: FormProps) {
  const { t } = useTranslation("earnings");
  const known = useInstruments(props.userId);
  const instruments = known.data;
  const instrument = instruments?.find((one) => isSameInstrument(one, balance));
  if (term !== undefined && instruments !== undefined && instrument !== undefined)
    return (
      <>
        <WithdrawForm balance={balance} terms={term} instrument={instrument} {...props} />
        <MonthlyPayoutSection userId={props.userId} terms={term} instrument={instrument} instruments={instruments} />
      </>
    );
  if (term === undefined || instruments !== undefined) return <Note tone="info" title={t("failed.unsupported")} />;
  return known.hasFailed ? <SeenNote of={[known]} /> : <Skeleton width="100%" height={240} />;
}

type SuccessDialogProps = { readonly withdrawn: Withdrawn | null; readonly onClose: () => void };

/** spec §4: a withdrawal that was taken opens it. */
function SuccessDialog({ withdrawn, onClose }: SuccessDialogProps) {
  const { t } = useTranslation("earnings");
  // Its content stays until it has closed.
  const [last, setLast] = useState(withdrawn);
  if (withdrawn !== null && withdrawn !== last) setLast(withdrawn);
  return (
    <Dialog open={withdrawn !== null} onClose={onClose} title={t("success.title")}>
      {last === null ? null : (
        <div className="w-withdraw__success">
          <Note tone="success" title={t("success.sum", { sum: sumText(last.body.amount, last.body.currencyTitle) })}>
            {t(last.status === "REVIEW" ? "success.review" : "success.pending")}
          </Note>
          <AddressGroups address={last.body.address} />
          <Button stretched onClick={onClose}>
            {t("success.done")}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
