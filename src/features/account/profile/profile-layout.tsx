import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../shared/ui/index.ts";
import { AccountIcon } from "../icons.tsx";
import "./profile.css";

type ProfileLayoutProps = { readonly onLogOut: () => Promise<void>; readonly children: ReactNode };

/** The account's pages: a list beside the page on wide screens, under it on phones. Only pages that exist are in it. */
export function ProfileLayout({ onLogOut, children }: ProfileLayoutProps) {
  const { t } = useTranslation("account");
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    if (isLeaving) return;
    setLeaving(true);
    await onLogOut().finally(() => setLeaving(false));
  };
  return (
    <div className="w-profile w-page">
      <h1 className="w-profile__title">{t("profile.title")}</h1>
      <div className="w-profile__side">
        <nav aria-label={t("profile.nav")}>
          <Link href="/profile/info" className="w-profile__link w-profile__link--page" aria-current="page">
            <Icon name="person" />
            <span>{t("profile.info")}</span>
          </Link>
          <Link href="/orders" className="w-profile__link">
            <Icon name="receipt" />
            <span>{t("profile.orders")}</span>
            <Icon name="chevron-right" size={18} />
          </Link>
        </nav>
        <button
          type="button"
          className="w-profile__link w-profile__link--exit"
          aria-disabled={isLeaving || undefined}
          onClick={() => void leave()}
        >
          <AccountIcon name="exit" />
          <span>{t(isLeaving ? "profile.leaving" : "profile.logOut")}</span>
        </button>
      </div>
      <div className="w-profile__page">{children}</div>
    </div>
  );
}
