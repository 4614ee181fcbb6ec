import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";
import { useTranslation } from "react-i18next";
import { setTheme, THEMES, useTheme } from "../../shared/browser/theme.ts";
import { useHydrated } from "../../shared/page/use-hydrated.ts";
import { useLocale } from "../../shared/i18n/index.ts";
import { LOCALE_NAMES, LOCALES } from "#contract/locale.ts";
import { AccountIcon, Dialog, Icon, type IconName } from "../../shared/ui/index.ts";
import { isTelegram } from "../../telegram/is-telegram.ts";
import { LanguageLink } from "../layout/language-menu.tsx";

/** The language, the theme and the support, in the phone's list of the profile; the header and the footer have them where there are such. */
export function ProfileSettings() {
  const { t } = useTranslation("common");
  const { t: account } = useTranslation("account");
  const [path] = useLocation();
  const [open, setOpen] = useState<"language" | "theme" | null>(null);
  const locale = useLocale();
  const current = useTheme();
  // Known to the browser alone.
  const hasTelegramTheme = useHydrated() && isTelegram();
  const close = () => setOpen(null);
  return (
    <>
      <div className="w-profile__group w-profile__settings">
        <SettingRow
          icon="globe"
          label={t("language.label")}
          value={LOCALE_NAMES[locale]}
          onOpen={() => setOpen("language")}
        />
        <SettingRow
          icon="moon"
          label={t("theme.label")}
          value={hasTelegramTheme ? account("settings.asInTelegram") : t(`theme.${current}`)}
          // Inside Telegram its own theme is worn.
          onOpen={hasTelegramTheme ? null : () => setOpen("theme")}
        />
        <Link href="/support" className="w-profile__link">
          <span className="w-profile__tile">
            <AccountIcon name="support" />
          </span>
          <span className="w-profile__label">{t("nav.support")}</span>
          <Icon name="chevron-right" size={18} />
        </Link>
      </div>
      <Dialog open={open === "language"} onClose={close} title={t("language.label")}>
        {LOCALES.map((one) => (
          <LanguageLink key={one} locale={one} path={path} className="w-profile__link w-profile__choice">
            <span className="w-profile__label">{LOCALE_NAMES[one]}</span>
            {one === locale ? <Icon name="check" /> : null}
          </LanguageLink>
        ))}
      </Dialog>
      <Dialog open={open === "theme"} onClose={close} title={t("theme.label")}>
        {THEMES.map((theme) => (
          <button
            key={theme}
            type="button"
            className="w-profile__link w-profile__choice"
            aria-pressed={theme === current}
            onClick={() => {
              setTheme(theme);
              close();
            }}
          >
            <span className="w-profile__label">{t(`theme.${theme}`)}</span>
            {theme === current ? <Icon name="check" /> : null}
          </button>
        ))}
      </Dialog>
    </>
  );
}

type SettingRowProps = {
  readonly icon: IconName;
  readonly label: string;
  readonly value: string;
  readonly onOpen: (() => void) | null;
};

function SettingRow({ icon, label, value, onOpen }: SettingRowProps) {
  const content: ReactNode = (
    <>
      <span className="w-profile__tile">
        <Icon name={icon} />
      </span>
      <span className="w-profile__label">{label}</span>
      <span className="w-profile__value">{value}</span>
    </>
  );
  if (onOpen === null) return <div className="w-profile__link">{content}</div>;
  return (
    <button type="button" className="w-profile__link" aria-haspopup="dialog" onClick={onOpen}>
      {content}
      <Icon name="chevron-right" size={18} />
    </button>
  );
}
