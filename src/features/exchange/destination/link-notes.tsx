import { useTranslation } from "react-i18next";
import { compareDecimals, isDecimal } from "#contract/money.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { Button, Note } from "../../../shared/ui/index.ts";
import type { LinkNote } from "../model/pasted-address.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { knownRate } from "../store/selectors.ts";
import { setAmount } from "../store/state.ts";

/** What a pasted payment link says that was not taken. */
export const LinkNotes = ({ notes }: { readonly notes: readonly LinkNote[] }) =>
  notes.length === 0 ? null : (
    <div role="status" className="w-link-notes">
      {notes.map((note) => (
        <LinkNoteText key={note.kind} note={note} />
      ))}
    </div>
  );

function LinkNoteText({ note }: { readonly note: LinkNote }) {
  const { t } = useTranslation("exchange");
  switch (note.kind) {
    case "other_network":
      return (
        <Note tone="signal" title={t("destination.link.otherNetwork", { network: note.network })}>
          {t("destination.link.notTaken")}
        </Note>
      );
    case "expired":
    case "demand":
    case "unreadable":
      return (
        <Note tone="signal" title={t(`destination.link.${note.kind}`)}>
          {t("destination.link.notTaken")}
        </Note>
      );
    case "other_coin":
      return (
        <Note tone="signal" title={t("destination.link.otherCoin")}>
          {t("destination.link.otherCoinText")}
        </Note>
      );
    case "amount_left_out":
      return <Note tone="info" title={t("destination.link.amountLeftOut")} />;
    case "ignored":
      return <Note tone="info" title={t("destination.link.ignored", { names: note.names.join(", ") })} />;
  }
}

type LinkedAmountProps = { readonly amount: string; readonly ticker: string };

/** The amount that a pasted payment link asks for: offered where it differs, never applied by itself. */
export function LinkedAmount({ amount, ticker }: LinkedAmountProps) {
  const { t } = useTranslation("exchange");
  const { state } = useExchangeStore();
  const now = useExchangeState();
  const current = now.side === "to" ? now.typed : knownRate(now)?.amountToGet;
  if (isSame(current, amount)) return null;
  const values = { amount: formatCrypto(amount, 18), ticker };
  return (
    <div role="status">
      <Note
        tone="info"
        title={t("destination.linkAmount", values)}
        action={
          <Button variant="soft" onClick={() => setAmount(state, "to", amount)}>
            {t("destination.linkAmountUse", values)}
          </Button>
        }
      />
    </div>
  );
}

const isSame = (current: string | undefined, amount: string): boolean =>
  isDecimal(current) && compareDecimals(current, amount) === 0;
