import { useTranslation } from "react-i18next";
import { useWriteAccess } from "../../../telegram/use-write-access.ts";
import { Button } from "../../../shared/ui/index.ts";

/** Asks a Telegram user whose bot may not write to them yet; permission is requested only on click. */
export function BotMessagesCard() {
  const { t } = useTranslation("notifications");
  const access = useWriteAccess();
  if (access === null) return null;
  const { state, isAsking, ask } = access;
  return (
    <section className="w-order-card" aria-labelledby="order-bot-messages">
      <h2 id="order-bot-messages" className="w-order-summary__label">
        {t("bot.title")}
      </h2>
      <div className="w-order-updates">
        <p role="status">{t(`bot.${state}`)}</p>
        {state === "allowed" ? null : (
          <Button
            variant={state === "refused" ? "plain" : "outline"}
            stretched
            busyLabel={isAsking ? t("bot.asking") : null}
            onClick={ask}
          >
            {t("bot.allow")}
          </Button>
        )}
      </div>
    </section>
  );
}
