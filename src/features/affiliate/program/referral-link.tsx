import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Referrer } from "#contract/accounts/earnings.ts";
import { Button, CopyButton, Dialog, Icon, QrCode, Section } from "../../../shared/ui/index.ts";
import { isTelegram } from "../../../telegram/is-telegram.ts";
import { telegramShareUrl } from "../../../telegram/share.ts";
import { useShare } from "../../../telegram/use-share.ts";
import "./affiliate.css";

/** The link that counts for the account, and the ways to pass it on. */
export function ReferralLink({ referrer: { referrerId, link, deeplink } }: { readonly referrer: Referrer }) {
  const { t } = useTranslation("earnings");
  const [isCodeOpen, setCodeOpen] = useState(false);
  const { message, share } = useShare({ copied: t("link.copied"), notCopied: t("link.notCopied") });
  const shareLink = () => share({ title: t("link.title"), url: link, path: `/?ref=${referrerId}` });
  const copying = { copiedLabel: t("link.copied"), failedLabel: t("link.notCopied") };
  return (
    <Section title={t("link.section")} footer={t("link.lasts")}>
      <div className="w-affiliate__link">
        <p className="w-affiliate__url w-mono" translate="no">
          {link}
        </p>
        <CopyButton value={link} label={t("link.copy")} {...copying} />
        <Button variant="soft" icon={<Icon name="share" size={18} />} onClick={() => void shareLink()}>
          {message || t("link.share")}
        </Button>
        {isTelegram() ? null : (
          <Button variant="outline" href={telegramShareUrl(deeplink ?? link, t("link.title"))}>
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
          {message}
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
