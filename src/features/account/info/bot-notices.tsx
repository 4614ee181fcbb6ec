import { useTranslation } from "react-i18next";
import { Section } from "../../../shared/ui/index.ts";
import { useWriteAccess } from "../../../telegram/use-write-access.ts";
import { Row } from "../../../shared/account/row.tsx";

/** Asks a Telegram user whose bot may not write to them yet. */
export function BotNotices() {
  const { t } = useTranslation("account");
  const { t: notices } = useTranslation("notifications");
  const access = useWriteAccess();
  if (access === null) return null;
  const { state, isAsking, ask } = access;
  return (
    <Section title={t("notices.section")}>
      <Row
        title={notices("bot.title")}
        text={<span role="status">{notices(`bot.${state}`)}</span>}
        {...(state !== "allowed" && { action: notices("bot.allow"), onAction: ask })}
        busyLabel={isAsking ? notices("bot.asking") : null}
      />
    </Section>
  );
}
