import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AddressField } from "../../../address/address-field.tsx";
import type { MonthlyPayout } from "#contract/accounts/earnings.ts";
import type { Instrument } from "#contract/instrument.ts";
import { CallError } from "../../../shared/http/call-error.ts";
import { notify } from "../../../shared/page/notifications.ts";
import { SelectField } from "../../../shared/ui/index.ts";
import { ActionDialog } from "../../../shared/account/action-dialog.tsx";
import { useRequest } from "../../../shared/account/use-request.ts";
import { setMonthlyPayout } from "../api.ts";
import { isWithdrawalAddress } from "../model/withdrawal.ts";
import { useErrorTexts } from "./form-errors.tsx";
import { useWithdrawalAddressCheck } from "./use-withdrawal-address-check.ts";

export const coinText = ({ currencyTitle, networkFriendlyTitle }: Instrument): string =>
  `${currencyTitle}, ${networkFriendlyTitle}`;

type MonthlyAddressDialogProps = {
  /** What is set now: it is changed from there. */
  readonly payout: Pick<MonthlyPayout, "address" | "slug">;
  readonly onClose: () => void;
  /** Of the wallet. */
  readonly instrument: Instrument;
  readonly choices: readonly Instrument[];
  readonly onSet: () => void;
};

/** Asks where monthly payouts go, and in which coin. */
export function MonthlyAddressDialog(props: MonthlyAddressDialogProps) {
  const { payout, onClose, instrument: earned, choices, onSet } = props;
  const { t } = useTranslation("earnings");
  const request = useRequest();
  const isPaid = choices.some(({ slug }) => slug === payout.slug);
  const [slug, setSlug] = useState(isPaid ? payout.slug : earned.slug);
  const [address, setAddress] = useState((isPaid ? payout.address : null) ?? "");
  const instrument = choices.find((one) => one.slug === slug) ?? earned;
  const isFormed = isWithdrawalAddress(address, instrument);
  const [isChecked, setChecked] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const check = useWithdrawalAddressCheck(instrument, address);
  const texts = useErrorTexts(instrument);
  const isWrong = typeof check === "object" || (isChecked && !isFormed);
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
    if (typeof check === "object" || !isFormed) return;
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
      open
      onClose={onClose}
      title={t("monthly.dialog")}
      submitLabel={t("monthly.submit")}
      busyLabel={t("monthly.busy")}
      isPending={request.isPending}
      failure={isRefused ? null : (request.failure ?? request.fieldError)}
      onSubmit={() => void submit()}
    >
      <p className="w-auth__text">{t("monthly.text", { ticker: earned.currencyTitle })}</p>
      <SelectField
        id="monthly-coin"
        label={t("monthly.coin")}
        options={choices.map((choice) => ({ value: choice.slug, label: coinText(choice) }))}
        value={slug}
        onValue={(chosen) => {
          setSlug(chosen);
          type("");
        }}
      />
      <AddressField
        id="monthly-address"
        label={t("withdraw.address", { ticker: instrument.currencyTitle, network: instrument.networkFriendlyTitle })}
        placeholder={t("withdraw.addressPlaceholder")}
        instrument={instrument}
        value={address}
        check={check}
        error={isRefused ? t("monthly.refused") : error}
        onValue={(typed) => type(typed)}
      />
    </ActionDialog>
  );
}
