import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { WalletWithdrawal } from "#contract/accounts/earnings.ts";
import { shorten } from "#contract/site/short-address.ts";
import type { Instrument } from "#contract/instrument.ts";
import { explorerLink } from "../../../address/explorer-link.ts";
import { formatDateTime } from "../../../shared/format/format-time.ts";
import { formatMoment } from "../../../shared/format/format-day.ts";
import { serverNow } from "../../../shared/http/server-clock.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useTimeZone } from "../../../shared/page/use-hydrated.ts";
import { AccountIcon, classNames, VisuallyHidden } from "../../../shared/ui/index.ts";
import { isSameInstrument } from "../api.ts";
import { counts, isWithdrawal, type Movement } from "../model/movements.ts";
import { sumText } from "./sum.ts";
import "./earnings.css";

const ICONS = { AFFILIATE: "people", CASHBACK: "gift", MARKUP: "key", ADJUSTMENT: "shield" } as const;

type MovementRowProps = {
  readonly movement: Movement;
  /** The catalogue, for links to the chain's explorer; undefined while it isn't there. */
  readonly instruments: readonly Instrument[] | undefined;
};

/** What came into the wallet or left it: why, when, how much, and how far it is. */
export function MovementRow({ movement, instruments }: MovementRowProps) {
  const { t } = useTranslation("earnings");
  const { amount, currencyTitle } = movement;
  const status = isWithdrawal(movement)
    ? t(`withdrawalStatus.${movement.status}`)
    : // Income that has come needs no word.
      movement.status === "COMPLETED"
      ? null
      : t(`creditStatus.${movement.status}`);
  const isDebit = isWithdrawal(movement) || amount.startsWith("-");
  const sign = isDebit ? "\u2212" : "+";
  const isPlain = isDebit || !counts(movement);
  return (
    <li className="w-earnings__row">
      <span className="w-earnings__tile">
        <AccountIcon name={isWithdrawal(movement) ? "up" : ICONS[movement.source]} />
      </span>
      <span className="w-earnings__cell">
        <span className="w-earnings__name">{t(`kind.${kindOf(movement)}`)}</span>
        <span className="w-earnings__detail w-number">
          <When iso={movement.createdAt} />
          {movement.orderReference === null ? null : (
            <span className="w-earnings__whole">{t("list.order", { reference: movement.orderReference })}</span>
          )}
          {isWithdrawal(movement) ? <Destination withdrawal={movement} instruments={instruments} /> : null}
        </span>
      </span>
      <span className="w-earnings__cell w-earnings__cell--end">
        <span className={classNames("w-earnings__amount w-number", isPlain && "w-earnings__amount--plain")}>
          {counts(movement) ? sign : ""}
          {sumText(amount.replace("-", ""), currencyTitle)}
        </span>
        {status === null ? null : <span className="w-earnings__detail">{status}</span>}
      </span>
    </li>
  );
}

const kindOf = ({ source, amount }: Movement) =>
  source === "ADJUSTMENT" && amount.startsWith("-") ? "DEBIT" : (source ?? "WITHDRAWAL");

function When({ iso }: { readonly iso: string }) {
  const timeZone = useTimeZone();
  const locale = useLocale();
  const [now] = useState(() => serverNow());
  return (
    <time
      className="w-earnings__whole"
      dateTime={iso}
      title={`${formatDateTime(iso, locale, { timeZone })} ${timeZone}`}
    >
      {formatMoment(iso, locale, { now, timeZone })}
    </time>
  );
}

type DestinationProps = { readonly withdrawal: WalletWithdrawal } & Pick<MovementRowProps, "instruments">;

function Destination({ withdrawal, instruments }: DestinationProps) {
  const { t } = useTranslation("earnings");
  const { address, txId, paid } = withdrawal;
  const template =
    instruments?.find((instrument) => isSameInstrument(instrument, paid ?? withdrawal))?.explorerTx ?? null;
  const link = txId === null ? null : explorerLink(template, txId);
  return (
    <span>
      {paid === null ? null : `${sumText(paid.amount, paid.currencyTitle)} `}
      {t("list.to")} <VisuallyHidden>{address}</VisuallyHidden>
      <code className="w-mono" aria-hidden="true" title={address} translate="no">
        {shorten(address)}
      </code>
      {link === null ? null : (
        <a className="w-earnings__transaction" href={link} target="_blank" rel="noopener noreferrer">
          {t("list.transaction")}
        </a>
      )}
    </span>
  );
}
