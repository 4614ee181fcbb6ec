import { useState } from "react";
import type { Order } from "#contract/order.ts";
import { useTranslation } from "react-i18next";
import {
  AddressGroups,
  AroundForeignText,
  classNames,
  CopyButton,
  Icon,
  MemoText,
  QrCode,
} from "../../../shared/ui/index.ts";
import { memoContext } from "#contract/address.ts";
import { exactCoinText } from "../model/amount-text.ts";
import type { Block } from "../model/view/blocks.ts";
import "./deposit-card.css";

type PartProps = { readonly order: Order; readonly isOver: boolean };
type DepositCardProps = PartProps & { readonly blocks: readonly Block[] };

/** What to send and where: the amount, the memo before the address, the address, the code to scan. */
export function DepositCard({ order, blocks, isOver }: DepositCardProps) {
  const has = (block: Block): boolean => blocks.includes(block);
  const { depositAddressMemo, pair } = order;
  return (
    <div
      className={classNames("w-order-deposit", has("qr") && "w-order-deposit--qr", isOver && "w-order-deposit--over")}
    >
      <DepositAmount order={order} isOver={isOver} />
      {has("memo") && depositAddressMemo !== null ? (
        <DepositMemo
          memo={depositAddressMemo}
          isOver={isOver}
          context={memoContext(pair.instrumentFrom.networkTitle)}
        />
      ) : null}
      <DepositAddress order={order} isOver={isOver} />
      {has("qr") ? <DepositQr order={order} /> : null}
    </div>
  );
}

function DepositAmount({ order, isOver }: PartProps) {
  const { t } = useTranslation("order");
  const text = exactCoinText(order.claimedDepositAmount, order.pair.instrumentFrom);
  const label = isOver ? "amount.rate_ended" : order.rateMode === "FIXED" ? "amount.exactly" : "amount.about";
  return (
    <div className="w-order-deposit__amount w-order-card">
      <div className="w-order-deposit__text">
        <p className="w-order-deposit__label" id="order-amount">
          {t(label)}
        </p>
        <p className={classNames("w-order-deposit__sum w-number", text.length > 16 && "w-order-deposit__sum--long")}>
          {text}
        </p>
      </div>
      {isOver ? null : (
        <CopyButton
          value={order.claimedDepositAmount}
          label={t("copy")}
          copiedLabel={t("head.copied")}
          failedLabel={t("head.notCopied")}
          describedBy="order-amount"
        />
      )}
    </div>
  );
}

type DepositMemoProps = { readonly memo: string; readonly isOver: boolean; readonly context: "tag" | undefined };

function DepositMemo({ memo, isOver, context }: DepositMemoProps) {
  const { t } = useTranslation("order");
  return (
    <div className="w-order-deposit__memo w-order-card">
      <div className="w-order-deposit__text">
        <p className="w-order-deposit__warning" id="order-memo">
          <Icon name="warning" size={20} />
          {t("memo.title", { context })}
        </p>
        <p className="w-order-deposit__sum w-order-deposit__sum--memo w-number" translate="no">
          <MemoText>{memo}</MemoText>
        </p>
      </div>
      {isOver ? null : (
        <CopyButton
          variant="outline"
          value={memo}
          label={t("copy")}
          copiedLabel={t("head.copied")}
          failedLabel={t("head.notCopied")}
          describedBy="order-memo"
        />
      )}
      {isOver ? null : <p className="w-order-deposit__caution">{t("memo.text", { context })}</p>}
    </div>
  );
}

function DepositAddress({ order, isOver }: PartProps) {
  const { t } = useTranslation("order");
  const [isCopied, setCopied] = useState(false);
  const { depositAddress, depositAddressMemo, pair } = order;
  if (depositAddress === null) return null;
  const label = isOver
    ? t("rate_ended.address")
    : t("address.label", { network: pair.instrumentFrom.networkFriendlyTitle });
  return (
    <div className="w-order-deposit__address w-order-card">
      <p className={isOver ? "w-order-deposit__stop" : "w-order-deposit__label"}>{label}</p>
      <AddressGroups address={depositAddress} />
      {isOver ? null : (
        <CopyButton
          stretched
          value={depositAddress}
          label={t("address.copy")}
          copiedLabel={t("head.copied")}
          failedLabel={t("head.notCopied")}
          onCopied={() => setCopied(true)}
        />
      )}
      {isCopied && depositAddressMemo !== null ? (
        <p className="w-order-deposit__warning" role="status">
          <Icon name="warning" size={20} />
          <AroundForeignText
            isMemo
            sentence={t("address.memoToo", { memo: "\n", context: memoContext(pair.instrumentFrom.networkTitle) })}
            text={depositAddressMemo}
          />
        </p>
      ) : null}
    </div>
  );
}

function DepositQr({ order }: { readonly order: Order }) {
  const { t } = useTranslation("order");
  const withMemo = order.depositAddressMemo !== null;
  const context = memoContext(order.pair.instrumentFrom.networkTitle);
  return (
    <div className="w-order-deposit__qr w-order-card">
      <div className="w-order-deposit__code">
        <QrCode text={order.depositUri} alt={t("qr.alt", { address: order.depositAddress })} size={160} />
      </div>
      <div className="w-order-deposit__hint">
        <p className="w-order-deposit__question">{t("qr.title")}</p>
        <p className="w-order-deposit__beside">{t(withMemo ? "qr.textMemo" : "qr.text", { context })}</p>
        <p className="w-order-deposit__under">{t(withMemo ? "qr.scanMemo" : "qr.scan", { context })}</p>
      </div>
    </div>
  );
}
