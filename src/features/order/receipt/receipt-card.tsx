import { useTranslation } from "react-i18next";
import type { Order } from "#contract/order.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { useTimeZone } from "../../../shared/page/use-hydrated.ts";
import { AddressGroups, classNames, CopyIconButton, Icon, MemoText, Skeleton } from "../../../shared/ui/index.ts";
import { Row } from "../page/details.tsx";
import type { Receipt } from "../model/receipt.ts";
import { type ReceiptLine, receiptText, type ReceiptText } from "../model/receipt-text.ts";
import { useRefundInfo } from "../page/use-order.ts";
import { ReceiptActions } from "./receipt-actions.tsx";
import "./receipt.css";

export type ReceiptProps = { readonly order: Order; readonly receipt: Receipt };

/** How an order ended, and what can be done with it. */
export function ReceiptPart({ order, receipt }: ReceiptProps) {
  const text = useReceiptText(order, receipt);
  return (
    <>
      <ReceiptCard kind={receipt.kind} text={text} />
      <ReceiptActions order={order} text={text} />
    </>
  );
}

/** The receipt in the reader's language and time zone. */
function useReceiptText(order: Order, receipt: Receipt): ReceiptText {
  const { t } = useTranslation("order");
  const { t: common } = useTranslation("common");
  const { info } = useRefundInfo(order, receipt.kind === "refund");
  return receiptText({ order, receipt, refund: info, t, common, locale: useLocale(), timeZone: useTimeZone() });
}

type ReceiptCardProps = { readonly kind: Receipt["kind"]; readonly text: ReceiptText };

/** What was delivered, in large, and every figure of it to check: what was promised beside what came. */
const ReceiptCard = ({ kind, text: { label, sum, caption, lines } }: ReceiptCardProps) => (
  <section className="w-order-receipt w-order-card">
    <div className="w-order-receipt__head">
      <span className={`w-order-receipt__mark w-order-receipt__mark--${kind}`}>
        <Icon name={kind === "payout" ? "check" : "return"} />
      </span>
      <h2 className="w-order-receipt__label">{label}</h2>
      <p className={classNames("w-order-receipt__sum w-number", sum.length > 18 && "w-order-receipt__sum--long")}>
        {sum}
      </p>
      {caption === null ? null : <p className="w-order-receipt__caption w-number">{caption}</p>}
    </div>
    <dl className="w-order-rows w-number">
      {lines.map((line) =>
        line.kind === "code" || line.kind === "memo" ? (
          <CodeRow key={`${line.label} ${line.value}`} line={line} />
        ) : (
          <Row key={`${line.kind} ${line.label}`} label={line.label} detail={line.detail}>
            {line.kind === "time" ? (
              <time dateTime={line.iso}>{line.value}</time>
            ) : (
              (line.value ?? <Skeleton width={96} height={20} />)
            )}
          </Row>
        ),
      )}
    </dl>
  </section>
);

/** An address, hash or memo, whole: a receipt that shortens them proves nothing. */
function CodeRow({ line: { kind, label, value, link } }: { readonly line: ReceiptLine & { kind: "code" | "memo" } }) {
  const { t } = useTranslation("order");
  const code = kind === "memo" ? <MemoText>{value}</MemoText> : <AddressGroups address={value} />;
  return (
    <div className="w-order-receipt__code">
      <dt>{label}</dt>
      <dd>
        <bdi>
          {link === null ? (
            code
          ) : (
            <a href={link} target="_blank" rel="noopener noreferrer">
              {code}
            </a>
          )}
        </bdi>
        <CopyIconButton
          value={value}
          label={t("receipt.copy", { what: label })}
          copiedLabel={t("head.copied")}
          failedLabel={t("head.notCopied")}
        />
      </dd>
    </div>
  );
}
