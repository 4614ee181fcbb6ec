import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Referrer } from "#contract/earnings.ts";
import { useExternalLinks } from "../../../../shared/page/page-context.ts";
import { Button, CopyButton, Dialog, Icon, QrCode, Section } from "../../../../shared/ui/index.ts";
import { isTelegram } from "../../../../telegram/is-telegram.ts";
import { share } from "../../../../telegram/share.ts";
import "./affiliate.css";

/** The link that counts for the account, and the ways to pass it on. */
export function ReferralLink({ referrer: { referrerId, link, deeplink } }: { readonly referrer: Referrer }) {
  const { t } = useTranslation("earnings");
  const { miniAppUrl } = useExternalLinks();
  const [isCodeOpen, setCodeOpen] = useState(false);
  const shared = useBrief();
  const pass = async () => {
    const result = await share({ title: t("link.title"), url: link, path: `/?ref=${referrerId}`, miniAppUrl });
    if (result !== "shared") shared.say(t(result === "copied" ? "link.copied" : "link.notCopied"));
  };
  const copying = { copiedLabel: t("link.copied"), failedLabel: t("link.notCopied") };
  return (
    <Section title={t("link.section")} footer={t("link.lasts")}>
      <div className="w-affiliate__link">
        <p className="w-affiliate__url w-mono" translate="no">
          {link}
        </p>
        <CopyButton value={link} label={t("link.copy")} {...copying} />
        <Button variant="soft" icon={<Icon name="share" size={18} />} onClick={() => void pass()}>
          {shared.text || t("link.share")}
        </Button>
        {isTelegram() ? null : (
          <Button variant="outline" href={telegramShare(deeplink ?? link, t("link.title"))}>
            {t("link.telegramShare")}
          </Button>
        )}
        {deeplink === null ? null : (
          <CopyButton variant="outline" value={deeplink} label={t("link.telegramCopy")} {...copying} />
        )}
        <Button variant="outline" icon={<Icon name="scan" size={18} />} onClick={() => setCodeOpen(true)}>
          {t("link.qr")}
        </Button>
        <span className="w-visually-hidden" role="status">
          {shared.text}
        </span>
      </div>
      <Dialog open={isCodeOpen} onClose={() => setCodeOpen(false)} title={t("link.qr")}>
        <div className="w-affiliate__code">
          <QrCode text={link} alt={t("link.qrAlt")} size={240} />
          <p className="w-mono w-affiliate__url" translate="no">
            {link}
          </p>
        </div>
      </Dialog>
    </Section>
  );
}

/** Telegram's own page for sharing, which opens its app where it is installed. */
const telegramShare = (url: string, text: string): string =>
  `https://t.me/share/url?${new URLSearchParams({ url, text }).toString()}`;

const BRIEF_MS = 2_000;

/** A text for two seconds. */
function useBrief(): { readonly text: string; readonly say: (text: string) => void } {
  // An object, so that the same text begins its time anew.
  const [said, setSaid] = useState({ text: "" });
  useEffect(() => {
    if (said.text === "") return undefined;
    const timer = setTimeout(() => setSaid({ text: "" }), BRIEF_MS);
    return () => clearTimeout(timer);
  }, [said]);
  return { text: said.text, say: (text) => setSaid({ text }) };
}
