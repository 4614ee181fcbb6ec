import { Tabbar } from "@telegram-apps/telegram-ui";
import { Link } from "wouter";
import { Icon, type IconName } from "../graphics/icon.tsx";
import "./tab-bar.css";

export type Tab = {
  readonly label: string;
  readonly icon: IconName;
  /** A path of the app, without language prefix. */
  readonly href: string;
  readonly isCurrent: boolean;
};

/** The main navigation on phones: telegram-ui's tab bar as a landmark of links. */
export const TabBar = ({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) => (
  <Tabbar className="w-tabs" aria-label={label} {...{ Component: "nav" }}>
    {tabs.map((tab) => (
      <Tabbar.Item
        key={tab.href}
        className="w-tabs__tab"
        text={tab.label}
        selected={tab.isCurrent}
        aria-current={tab.isCurrent ? "page" : undefined}
        {...{ Component: Link, href: tab.href }}
      >
        <Icon name={tab.icon} size={24} />
      </Tabbar.Item>
    ))}
  </Tabbar>
);
