import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { useLocale } from "../../../shared/i18n/index.ts";
import { loadMessages } from "../../../shared/i18n/messages.ts";
import { abortOnCleanup } from "../../../shared/page/abort-on-cleanup.ts";
import { optional } from "../../../shared/page/optional.tsx";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";
import { Section } from "../../../shared/ui/index.ts";
import { isTelegram } from "../../../telegram/is-telegram.ts";
import { Row } from "../../../shared/account/row.tsx";
import { type NoticesState, readNotices, startNotices, stopNotices } from "./account-notices.ts";

type Said = "started" | "stopped" | "denied" | "failed";

/** Inside Telegram the bot writes, once it may. */
const BotNotices = optional("the bot's messages", async (i18n) => {
  const [{ BotNotices: Notices }] = await Promise.all([
    import("./bot-notices.tsx"),
    loadMessages(i18n, ["notifications"]),
  ]);
  return Notices;
});

/** How the account is notified beside mail: on this device, or by the bot inside Telegram. */
export function NoticesSection() {
  if (!useHydrated()) return null;
  return isTelegram() ? <BotNotices /> : <PushNotices />;
}

/** Push notifications of the account on this device. Nothing until it is known that the service sends them. */
function PushNotices() {
  const { t } = useTranslation("account");
  const locale = useLocale();
  const isOnline = useOnline();
  const [state, setState] = useState<NoticesState>({ kind: "off" });
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<Said | null>(null);
  useEffect(() => {
    return abortOnCleanup(async (signal) => {
      try {
        const read = await readNotices();
        if (!signal.aborted) setState(read);
      } catch (error) {
        // Offline, or signed out meanwhile: the rest of the page says so.
        console.debug("notices can't be offered here", error);
      }
    });
  }, []);

  if (state.kind === "off") return null;
  if (state.kind === "unsupported")
    return (
      <Section title={t("notices.section")}>
        <Row title={t("notices.title")} text={t("notices.unsupported")} />
      </Section>
    );
  const { isOn, notices } = state;
  const press = async () => {
    if (isBusy) return;
    setBusy(true);
    setSaid(null);
    try {
      const done = await (isOn ? stopNotices(notices) : startNotices(notices, locale));
      setSaid(done);
      if (done !== "denied") setState({ ...state, isOn: done === "started" });
    } catch (error) {
      console.warn("this device's notices can't be changed", error);
      setSaid("failed");
    } finally {
      setBusy(false);
    }
  };
  const hasFailed = said === "denied" || said === "failed";
  return (
    <Section title={t("notices.section")}>
      <Row
        title={t("notices.title")}
        text={t(isOn ? "notices.on" : "notices.off")}
        failure={hasFailed ? t(`notices.${said}`) : null}
        {...(isOnline && { action: t(isOn ? "notices.stop" : "notices.start"), onAction: () => void press() })}
        busyLabel={isBusy ? t(isOn ? "notices.stopping" : "notices.starting") : null}
      />
      <span className="w-visually-hidden" role="status">
        {said === null || hasFailed ? "" : t(`notices.${said}`)}
      </span>
    </Section>
  );
}
