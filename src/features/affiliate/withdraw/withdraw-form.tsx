import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AddressField } from "../../../address/address-field.tsx";
import type { WalletBalance, WithdrawalTerms } from "#contract/accounts/earnings.ts";
import type { Instrument } from "#contract/instrument.ts";
import { compareDecimals } from "#contract/money.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { canonicalAmount } from "../../../shared/format/amount-input.ts";
import { formatUsd } from "../../../shared/format/format.ts";
import { BottomBar, Button, Note, PrimaryAction } from "../../../shared/ui/index.ts";
import { useClosingConfirmation } from "../../../telegram/closing-confirmation.ts";
import { checkWithdrawal, type WithdrawalErrors } from "../model/withdrawal.ts";
import { sumText } from "../parts/sum.ts";
import { AmountInput } from "./amount-input.tsx";
import { changeDraft, clearDraft, useDraft } from "./draft.ts";
import { WithdrawalFailureNote, useErrorTexts } from "./form-errors.tsx";
import { useWithdrawalAddressCheck } from "./use-withdrawal-address-check.ts";
import { useWithdrawal, type Withdrawn } from "./use-withdrawal.ts";
import { WithdrawalSums } from "./withdrawal-sums.tsx";
import "./withdraw.css";

type WithdrawFormProps = {
  readonly userId: number;
  readonly balance: WalletBalance;
  readonly terms: WithdrawalTerms;
  readonly instrument: Instrument;
  readonly onWithdrawn: (withdrawn: Withdrawn) => void;
};

const ADDRESS = "withdraw-address";
const AMOUNT = "withdraw-amount";

/** Where the earnings go, and how much of them. */
export function WithdrawForm({ userId, balance, terms, instrument, onWithdrawn }: WithdrawFormProps) {
  const { t } = useTranslation("earnings");
  const isOnline = useOnline();
  const { address, amount } = useDraft(userId);
  const [errors, setErrors] = useState<WithdrawalErrors>({});
  // Of a pasted payment link: offered, never filled in by itself.
  const [linkAmount, setLinkAmount] = useState<string | null>(null);
  const check = useWithdrawalAddressCheck(instrument, address);
  const { isPending, failure, forget, send } = useWithdrawal();
  const texts = useErrorTexts(instrument);
  useClosingConfirmation(address !== "" || amount !== "");
  const { currencyTitle: ticker, networkTitle, precisionDecimals: decimals } = instrument;
  const bounds = { ...terms, balance: balance.balance, decimals };
  const sum = canonicalAmount(amount, decimals);
  const refused: WithdrawalErrors = typeof check === "object" ? { address: "error_address_incorrect" } : {};
  const addressError = errors.address ?? refused.address;

  const change = (part: { readonly address?: string; readonly amount?: string }) => {
    changeDraft(userId, part);
    forget();
    setErrors((before) => Object.fromEntries(Object.entries(before).filter(([field]) => !(field in part))));
  };
  const show = (found: WithdrawalErrors) => {
    setErrors(found);
    document.getElementById(found.address === undefined ? AMOUNT : ADDRESS)?.focus();
  };
  const submit = async () => {
    const found = checkWithdrawal({ address, amount: sum }, bounds);
    const all = { ...refused, ...found };
    if (Object.keys(all).length > 0) return show(all);
    const answer = await send({ currencyTitle: ticker, networkTitle, address: address.trim(), amount: sum });
    if (answer === null) return;
    if (!("status" in answer)) return show(answer);
    clearDraft();
    onWithdrawn(answer);
  };

  return (
    <form
      className="w-withdraw"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending && isOnline) void submit();
      }}
    >
      {compareDecimals(balance.balance, terms.minimum) < 0 ? (
        <Note tone="info" title={t("withdraw.notYet", { sum: sumText(terms.minimum, ticker) })} />
      ) : null}
      <WithdrawalFailureNote failure={failure} />
      <AddressField
        id={ADDRESS}
        label={t("withdraw.address", { ticker, network: instrument.networkFriendlyTitle })}
        placeholder={t("withdraw.addressPlaceholder")}
        instrument={instrument}
        value={address}
        check={check}
        error={addressError === undefined ? null : texts.address(addressError, address, check)}
        onValue={(value, taken) => {
          change({ address: value });
          setLinkAmount(taken?.amount ?? null);
        }}
      />
      {linkAmount === null || linkAmount === sum ? null : (
        <Note
          tone="info"
          title={t("withdraw.linkAmount", { sum: sumText(linkAmount, ticker) })}
          action={
            <Button variant="soft" onClick={() => change({ amount: linkAmount })}>
              {t("withdraw.linkAmountUse", { sum: sumText(linkAmount, ticker) })}
            </Button>
          }
        />
      )}
      <AmountInput
        id={AMOUNT}
        label={t("withdraw.amountField", { ticker })}
        hint={t("withdraw.available", { sum: sumText(balance.balance, ticker) })}
        value={amount}
        onValue={(value) => change({ amount: value })}
        error={errors.amount === undefined ? null : texts.amount(errors.amount)}
        all={balance.balance}
      />
      <WithdrawalSums amount={sum} bounds={bounds} ticker={ticker} />
      <p className="w-earnings__text">
        {t("withdraw.review", { sum: formatUsd(terms.reviewUsd), newAddress: formatUsd(terms.newAddressUsd) })}
      </p>
      <BottomBar>
        <PrimaryAction type="submit" stretched disabled={!isOnline} busyLabel={isPending ? t("withdraw.busy") : null}>
          {isOnline
            ? sum === ""
              ? t("withdraw.open")
              : t("withdraw.do", { sum: sumText(sum, ticker) })
            : t("withdraw.offline")}
        </PrimaryAction>
      </BottomBar>
    </form>
  );
}
