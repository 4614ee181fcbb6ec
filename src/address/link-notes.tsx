import { useTranslation } from "react-i18next";
import { memoContext } from "#contract/address.ts";
import { Note } from "../shared/ui/index.ts";
import type { LinkNote } from "./pasted-address.ts";

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
    case "memo_removed": {
      const context = memoContext(note.network);
      return (
        <Note tone="signal" title={t("destination.link.memoRemoved", { context })}>
          {t("destination.link.memoRemovedText", { context })}
        </Note>
      );
    }
    case "amount_left_out":
      return <Note tone="info" title={t("destination.link.amountLeftOut")} />;
    case "ignored":
      return <Note tone="info" title={t("destination.link.ignored", { names: note.names.join(", ") })} />;
  }
}
