import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { MonthlyPayout, WithdrawalTerms } from "#contract/accounts/earnings.ts";
import type { Instrument } from "#contract/instrument.ts";
import { useReloadSeen } from "../../../shared/account/last-seen.ts";
import { SeenAt, SeenNote } from "../../../shared/account/seen-note.tsx";
import { formatDay } from "../../../shared/format/format-day.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { notify } from "../../../shared/page/notifications.ts";
import { AddressGroups, Button, Note, Section } from "../../../shared/ui/index.ts";
import { Row } from "../../../shared/account/row.tsx";
import { useRequest } from "../../../shared/account/use-request.ts";
import { setMonthlyPayout, useMonthlyPayout } from "../api.ts";
import { sumText } from "../parts/sum.ts";
import { coinText, MonthlyAddressDialog } from "./monthly-address-dialog.tsx";

type Props = {
  readonly userId: number;
  readonly terms: WithdrawalTerms;
  /** Of the wallet. */
  readonly instrument: Instrument;
  readonly instruments: readonly Instrument[];
};

/** Where the whole balance goes after each month; nothing of it until it is known what was set. */
export function MonthlyPayoutSection({ userId, terms, instrument, instruments }: Props) {
  const { t } = useTranslation("earnings");
  const reload = useReloadSeen();
  const seen = useMonthlyPayout(userId);
  const payout = seen.data;
  const [isOpen, setOpen] = useState(false);
  const request = useRequest();
  if (payout === undefined)
    return seen.hasFailed ? (
      <Section title={t("monthly.title")}>
        <SeenNote of={[seen]} />
      </Section>
    ) : null;
  const choices = instruments.filter(({ slug }) => payout.choices.includes(slug));
  const stop = async () => {
    if (!(await request.run(() => setMonthlyPayout({ address: null })))) return;
    notify({ type: "success", message: t("monthly.stopped") });
    void reload();
  };
  const isOn = payout.address !== null;
  const failure = request.failure ?? request.fieldError;
  return (
    <Section title={t("monthly.title")} footer={seen.seenAt === null ? undefined : <SeenAt at={seen.seenAt} />}>
      <Row
        title={t("monthly.title")}
        isTitledAbove
        text={
          <State payout={payout} minimum={sumText(terms.minimum, instrument.currencyTitle)} instruments={instruments} />
        }
        action={t(isOn ? "monthly.change" : "monthly.set")}
        onAction={() => setOpen(true)}
      />
      {isOn ? (
        <Button
          variant="plain"
          onClick={() => void stop()}
          busyLabel={request.isPending ? t("monthly.stopping") : null}
        >
          {t("monthly.stop")}
        </Button>
      ) : null}
      {failure === null ? null : <Note tone="danger" title={failure} />}
      {isOpen ? (
        <MonthlyAddressDialog
          onClose={() => setOpen(false)}
          payout={payout}
          instrument={instrument}
          choices={choices}
          onSet={() => void reload()}
        />
      ) : null}
    </Section>
  );
}

type StateProps = { readonly payout: MonthlyPayout; readonly minimum: string } & Pick<Props, "instruments">;

function State({ payout, minimum, instruments }: StateProps) {
  const { t } = useTranslation("earnings");
  const locale = useLocale();
  if (payout.address === null) return t("monthly.off", { minimum });
  const coin = instruments.find(({ slug }) => slug === payout.slug);
  return (
    <>
      <AddressGroups address={payout.address} />
      {coin === undefined ? null : <p>{t("monthly.paidIn", { coin: coinText(coin) })}</p>}
      <p>{t("monthly.on", { date: formatDay(payout.nextAt, locale, { month: "long" }) })}</p>
      {payout.lastOutcome === null ? null : <p>{t(`monthly.${payout.lastOutcome}`)}</p>}
    </>
  );
}
