import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AddressField } from "../../../../address/address-field.tsx";
import type { MonthlyPayout, WithdrawalTerms } from "#contract/earnings.ts";
import type { Instrument } from "#contract/instrument.ts";
import { CallError } from "../../../../shared/http/call-error.ts";
import { useReloadSeen } from "../../../../shared/account/last-seen.ts";
import { useLocale } from "../../../../shared/i18n/index.ts";
import { notify } from "../../../../shared/page/notifications.ts";
import { AddressGroups, Button, Field, Section } from "../../../../shared/ui/index.ts";
import { ActionDialog } from "../../profile/action-dialog.tsx";
import { Row } from "../../profile/row.tsx";
import { useRequest } from "../../profile/use-request.ts";
import { setMonthlyPayout, useMonthlyPayout } from "../api.ts";
import { isWithdrawalAddress } from "../model/withdrawal.ts";
import { sumText } from "../parts/sum.ts";
import { useErrorTexts } from "./form-errors.tsx";
import { useAddressCheck } from "./use-address-check.ts";

type Props = {
  readonly userId: number;
  readonly terms: WithdrawalTerms;
  /** Of the wallet. */
  readonly instrument: Instrument;
  readonly instruments: readonly Instrument[];
};

/** Where the whole balance goes after each month; nothing until it is known what was set. */
export function MonthlyPayoutSection({ userId, terms, instrument, instruments }: Props) {
  const { t } = useTranslation("earnings");
  const reload = useReloadSeen();
  const { data: payout } = useMonthlyPayout(userId);
  const [isOpen, setOpen] = useState(false);
  const request = useRequest();
  if (payout === undefined) return null;
  const choices = instruments.filter(({ slug }) => payout.choices.includes(slug));
  const stop = async () => {
    if (!(await request.run(() => setMonthlyPayout({ address: null })))) return;
    notify({ type: "success", message: t("monthly.stopped") });
    void reload();
  };
  const isOn = payout.address !== null;
  return (
    <Section title={t("monthly.title")}>
      <Row
        title={t("monthly.title")}
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
      <span className="w-visually-hidden" role="status">
        {request.failure ?? ""}
      </span>
      <AddressDialog
        key={String(isOpen)}
        open={isOpen}
        onClose={() => setOpen(false)}
        instrument={instrument}
        choices={choices}
        onSet={() => void reload()}
      />
    </Section>
  );
}

const coinText = ({ currencyTitle, networkFriendlyTitle }: Instrument): string =>
  `${currencyTitle}, ${networkFriendlyTitle}`;

type StateProps = { readonly payout: MonthlyPayout; readonly minimum: string } & Pick<Props, "instruments">;

function State({ payout, minimum, instruments }: StateProps) {
  const { t } = useTranslation("earnings");
  const locale = useLocale();
  const day = new Intl.DateTimeFormat(locale === "ru" ? "ru-RU" : "en-GB", {
    day: "numeric",
    month: "long",
    timeZone: "UTC",
  });
  if (payout.address === null) return t("monthly.off", { minimum });
  const coin = instruments.find(({ slug }) => slug === payout.slug);
  return (
    <>
      <AddressGroups address={payout.address} />
      {coin === undefined ? null : <p>{t("monthly.paidIn", { coin: coinText(coin) })}</p>}
      <p>{t("monthly.on", { date: day.format(new Date(payout.nextAt)) })}</p>
      {payout.lastOutcome === null ? null : <p>{t(`monthly.${payout.lastOutcome}`)}</p>}
    </>
  );
}

type AddressDialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly instrument: Instrument;
  readonly choices: readonly Instrument[];
  readonly onSet: () => void;
};

function AddressDialog({ open, onClose, instrument: earned, choices, onSet }: AddressDialogProps) {
  const { t } = useTranslation("earnings");
  const request = useRequest();
  const [slug, setSlug] = useState(earned.slug);
  const [address, setAddress] = useState("");
  const instrument = choices.find((one) => one.slug === slug) ?? earned;
  // Only the wallet's own coin has a form of address that is known without asking.
  const isFormed = (text: string) => (slug === earned.slug ? isWithdrawalAddress(text) : text.trim() !== "");
  const [isChecked, setChecked] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const check = useAddressCheck(instrument, address);
  const texts = useErrorTexts(instrument);
  const isWrong = typeof check === "object" || (isChecked && !isFormed(address));
  const error = isWrong
    ? texts.address(address.trim() === "" ? "error_address_empty" : "error_address_incorrect", address, check)
    : null;
  const type = (value: string) => {
    setAddress(value);
    setChecked(false);
    setRefused(false);
    request.forget();
  };
  const submit = async () => {
    setChecked(true);
    if (typeof check === "object" || !isFormed(address)) return;
    const set = async () => {
      try {
        await setMonthlyPayout({ address: address.trim(), slug });
      } catch (failure) {
        if (failure instanceof CallError && "address" in failure.data) setRefused(true);
        throw failure;
      }
    };
    if (!(await request.run(set))) return;
    notify({ type: "success", message: t("monthly.done") });
    onSet();
    onClose();
  };
  return (
    <ActionDialog
      open={open}
      onClose={onClose}
      title={t("monthly.dialog")}
      submitLabel={t("monthly.submit")}
      busyLabel={t("monthly.busy")}
      isPending={request.isPending}
      failure={isRefused ? null : request.failure}
      onSubmit={() => void submit()}
    >
      <p className="w-auth__text">{t("monthly.text")}</p>
      <Field id="monthly-coin" label={t("monthly.coin")}>
        <select
          id="monthly-coin"
          className="w-withdraw__select"
          value={slug}
          onChange={(event) => {
            setSlug(event.currentTarget.value);
            type("");
          }}
        >
          {choices.map((choice) => (
            <option key={choice.slug} value={choice.slug}>
              {coinText(choice)}
            </option>
          ))}
        </select>
      </Field>
      <AddressField
        id="monthly-address"
        label={t("withdraw.address", { ticker: instrument.currencyTitle, network: instrument.networkFriendlyTitle })}
        placeholder={t("withdraw.addressPlaceholder")}
        instrument={instrument}
        value={address}
        check={check}
        error={isRefused ? t("monthly.refused") : error}
        onValue={type}
        onLink={() => undefined}
      />
    </ActionDialog>
  );
}
