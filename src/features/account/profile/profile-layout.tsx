import { type ReactNode, useState } from "react";
import { Link } from "wouter";
import { useTranslation } from "react-i18next";
import type { AccountSnapshot } from "../../../shared/account/account.ts";
import { AccountIcon, classNames, Icon } from "../../../shared/ui/index.ts";
import { Identity } from "./identity.tsx";
import "../../../shared/account/row.css";
import "./profile.css";
import "./profile-list.css";

export type ProfileLink = {
  readonly href: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly isCurrent: boolean;
  readonly startsGroup: boolean;
  /** The list beside a page and the phone's list have it in other places, or under another name: the one that this is for. */
  readonly only?: "phone" | "wide" | undefined;
  /** What the phone's list says of the page, beside its name. */
  readonly value: ReactNode;
};

type ProfileLayoutProps = {
  readonly title: string;
  readonly account: AccountSnapshot | null;
  /** Every page of the profile, in the order of both lists. */
  readonly links: readonly ProfileLink[];
  /** The page that is the list itself on phones; every other one leads back to it there. */
  readonly isFirst: boolean;
  /** Language, theme and support: in the phone's list, and inside Telegram in every one. */
  readonly settings: ReactNode;
  readonly onLogOut: () => Promise<void>;
  readonly children: ReactNode;
};

/** The frame of the profile's pages: their list beside the page on wide screens, a page of its own on phones. */
export function ProfileLayout({ title, account, links, isFirst, settings, onLogOut, children }: ProfileLayoutProps) {
  const { t } = useTranslation("account");
  return (
    <div className={classNames("w-profile w-page", !isFirst && "w-profile--inner")}>
      <div className="w-profile__head">
        {isFirst ? null : (
          <Link href={links[0]?.href ?? "/"} className="w-profile__back">
            <AccountIcon name="back" />
            <span>{t("profile.title")}</span>
          </Link>
        )}
        <h1 className="w-profile__title">{title}</h1>
      </div>
      {isFirst ? <Identity account={account} /> : null}
      <div className="w-profile__side">
        <nav aria-label={t("profile.nav")}>
          {groupsOf(links).map((group) => (
            <ul key={group[0]?.href} className="w-profile__group">
              {group.map((link) => (
                <ListItem key={link.href + (link.only ?? "")} link={link} />
              ))}
            </ul>
          ))}
        </nav>
        {settings}
        <LogOutButton onLogOut={onLogOut} />
      </div>
      <div className="w-profile__page">{children}</div>
    </div>
  );
}

function ListItem({ link: { href, label, icon, isCurrent, value, only } }: { readonly link: ProfileLink }) {
  return (
    <li className={classNames(isCurrent && "w-profile__item--current", only && `w-profile__item--${only}`)}>
      <Link href={href} className="w-profile__link" aria-current={isCurrent ? "page" : undefined}>
        <span className="w-profile__tile">{icon}</span>
        <span className="w-profile__label">{label}</span>
        <span className="w-profile__value w-number">{value}</span>
        <Icon name="chevron-right" size={18} />
      </Link>
    </li>
  );
}

function LogOutButton({ onLogOut }: Pick<ProfileLayoutProps, "onLogOut">) {
  const { t } = useTranslation("account");
  const [isLeaving, setLeaving] = useState(false);
  const leave = async () => {
    if (isLeaving) return;
    setLeaving(true);
    await onLogOut().finally(() => setLeaving(false));
  };
  return (
    <button
      type="button"
      className="w-profile__link w-profile__link--exit"
      aria-disabled={isLeaving || undefined}
      onClick={() => void leave()}
    >
      <span className="w-profile__tile">
        <AccountIcon name="exit" />
      </span>
      <span className="w-profile__label">{t(isLeaving ? "profile.leaving" : "profile.logOut")}</span>
    </button>
  );
}

function groupsOf(links: readonly ProfileLink[]): ProfileLink[][] {
  const groups: ProfileLink[][] = [];
  for (const link of links) {
    const last = groups.at(-1);
    if (last === undefined || link.startsGroup) groups.push([link]);
    else last.push(link);
  }
  return groups;
}
