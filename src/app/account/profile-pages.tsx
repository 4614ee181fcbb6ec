import type { ReactNode } from "react";
import type { ProfilePageProps } from "../../shared/account/profile-page-props.ts";
import { type LazyComponent, lazyWithPreload } from "../../shared/page/lazy-with-preload.tsx";
import { AccountIcon, Icon } from "../../shared/ui/index.ts";

type ProfilePage = {
  readonly icon: ReactNode;
  readonly screen: LazyComponent<ProfilePageProps>;
  /** What another feature adds to the page. */
  readonly addition?: LazyComponent;
  /** The phone's list has a gap before it. */
  readonly startsGroup?: true;
};

/**
 * The lists of the profile's pages, each with its own order and names.
 *
 * @internal Exported for its tests.
 */
export type ProfileList = "phone" | "wide";

/**
 * The pages under `/profile/` (spec §2) by the last part of their path, in the order of the profile's list. A new one: its entry here,
 * its name in `pages` of `locales/en|ru/account.json`. The first is the list itself on phones.
 */
const PROFILE_PAGES = {
  info: {
    icon: <Icon name="person" />,
    screen: lazyWithPreload<ProfilePageProps>(
      "src/features/account/info/info-page.tsx",
      async () => (await import("../../features/account/info/info-page.tsx")).InfoPage,
    ),
    addition: lazyWithPreload(
      "src/features/exchange/profile/profile-calculator.tsx",
      async () => (await import("../../features/exchange/profile/profile-calculator.tsx")).ProfileCalculator,
      ["exchange"],
    ),
  },
  wallet: {
    icon: <Icon name="wallet" />,
    screen: lazyWithPreload<ProfilePageProps>(
      "src/features/affiliate/wallet/wallet-page.tsx",
      async () => (await import("../../features/affiliate/wallet/wallet-page.tsx")).WalletPage,
      ["earnings"],
    ),
    startsGroup: true,
  },
  history: {
    icon: <Icon name="receipt" />,
    screen: lazyWithPreload<ProfilePageProps>(
      "src/features/order/history/history-page.tsx",
      async () => (await import("../../features/order/history/history-page.tsx")).HistoryPage,
      ["order"],
    ),
  },
  "affiliate-program": {
    icon: <AccountIcon name="people" />,
    screen: lazyWithPreload<ProfilePageProps>(
      "src/features/affiliate/program/affiliate-page.tsx",
      async () => (await import("../../features/affiliate/program/affiliate-page.tsx")).AffiliatePage,
      ["earnings"],
    ),
    startsGroup: true,
  },
  cashback: {
    icon: <AccountIcon name="gift" />,
    screen: lazyWithPreload<ProfilePageProps>(
      "src/features/affiliate/wallet/cashback-page.tsx",
      async () => (await import("../../features/affiliate/wallet/cashback-page.tsx")).CashbackPage,
      ["earnings"],
    ),
  },
  withdraw: {
    icon: <Icon name="download" />,
    screen: lazyWithPreload<ProfilePageProps>(
      "src/features/affiliate/withdraw/withdraw-page.tsx",
      async () => (await import("../../features/affiliate/withdraw/withdraw-page.tsx")).WithdrawPage,
      ["earnings", "exchange"],
    ),
  },
  keys: {
    icon: <AccountIcon name="key" />,
    screen: lazyWithPreload<ProfilePageProps>(
      "src/features/account/keys/keys-page.tsx",
      async () => (await import("../../features/account/keys/keys-page.tsx")).KeysPage,
      ["webhooks"],
    ),
  },
  verification: {
    icon: <AccountIcon name="shield" />,
    screen: lazyWithPreload<ProfilePageProps>(
      "src/features/verification/page/verification-page.tsx",
      async () => (await import("../../features/verification/page/verification-page.tsx")).VerificationPage,
      ["verification"],
    ),
  },
} as const satisfies Record<string, ProfilePage>;

export type ProfilePageName = keyof typeof PROFILE_PAGES;

export const PROFILE_PAGE_NAMES = Object.keys(PROFILE_PAGES) as ProfilePageName[];

type Entry = {
  readonly name: ProfilePageName;
  readonly label: `pages.${ProfilePageName}` | "orderHistory";
  readonly only?: ProfileList;
};

/**
 * What the two lists show, in the order of both: on phones the check of the identity stands with the wallet, beside a page it is the
 * last; and phones have orders of this device elsewhere, so that the history says there what it is of.
 */
export const PROFILE_ENTRIES: readonly Entry[] = PROFILE_PAGE_NAMES.flatMap((name): Entry[] => {
  const entry: Entry = { name, label: `pages.${name}` };
  if (name === "history")
    return [
      { ...entry, only: "wide" },
      { ...entry, label: "orderHistory", only: "phone" },
      { name: "verification", label: "pages.verification", only: "phone" },
    ];
  return [name === "verification" ? { ...entry, only: "wide" } : entry];
});

/** An entry as the frame reads it. */
export const profilePage = (name: ProfilePageName): ProfilePage => PROFILE_PAGES[name];
