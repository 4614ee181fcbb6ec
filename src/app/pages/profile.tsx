import type { TFunction } from "i18next";
import { Suspense, useEffect, useEffectEvent, useState } from "react";
import { useLocation } from "wouter";
import { useTranslation } from "react-i18next";
import { useSnapshot } from "valtio";
import { ProfileLayout } from "../../features/account/profile/profile-layout.tsx";
import { ReauthenticationDialog } from "../../features/account/profile/reauthentication-dialog.tsx";
import { useAuth } from "../../features/account/store.ts";
import { account, type AccountSnapshot, useAccount } from "../../shared/account/account.ts";
import { useLocale } from "../../shared/i18n/index.ts";
import { notify } from "../../shared/page/notifications.ts";
import { usePageData } from "../../shared/page/page-context.ts";
import { useHydrated } from "../../shared/page/use-hydrated.ts";
import { Skeleton } from "../../shared/ui/index.ts";
import { AccountFailed } from "../account/account-failed.tsx";
import { LinkValue } from "../account/link-value.tsx";
import { PROFILE_ENTRIES, PROFILE_PAGE_NAMES, profilePage, type ProfilePageName } from "../account/profile-pages.tsx";
import { ProfileSettings } from "../account/profile-settings.tsx";
import { definePage } from "../router/define-page.ts";

type ProfileData = { readonly name: ProfilePageName };

/** Only the browser knows the account: a page has nothing private in it (contract §4). */
export const page = definePage<ProfileData>({
  Page: Profile,
  load: async ({ params }) => {
    const name = PROFILE_PAGE_NAMES.find((known) => known === params["name"]);
    return name === undefined ? { kind: "notFound" } : { kind: "page", data: { name } };
  },
  head: ({ name }, t) => ({
    title: `${titleOf(name, t)} · Wherry`,
    description: t("profile.description", { ns: "account" }),
  }),
  parts: (_, { name }) => [profilePage(name).screen],
});

/** On phones the first page is the list of all, which the account is. */
const isFirst = (name: ProfilePageName): boolean => name === PROFILE_PAGE_NAMES[0];

const titleOf = (name: ProfilePageName, t: TFunction): string =>
  isFirst(name) ? t("profile.title", { ns: "account" }) : t(`pages.${name}`, { ns: "account" });

function Profile() {
  const { name } = usePageData<ProfileData>();
  const { t } = useTranslation("account");
  const { t: common } = useTranslation();
  const locale = useLocale();
  const { user, isUnavailable } = useSignedIn();
  const leave = async () => {
    const { logOut } = await import("../account/log-out.ts");
    if (!(await logOut(locale))) notify({ type: "error", message: t("profile.logOutFailed") });
  };
  const {
    screen: { Component },
    addition,
  } = profilePage(name);
  const links = PROFILE_ENTRIES.map(({ name: page, label, only }) => ({
    href: `/profile/${page}`,
    label: t(label),
    only,
    icon: profilePage(page).icon,
    isCurrent: page === name,
    startsGroup: profilePage(page).startsGroup === true,
    value: user !== null && isFirst(name) && only !== "wide" ? <LinkValue page={page} userId={user.userId} /> : null,
  }));
  return (
    <ProfileLayout
      title={titleOf(name, common)}
      account={user}
      links={links}
      isFirst={isFirst(name)}
      settings={<ProfileSettings />}
      onLogOut={leave}
    >
      {user === null ? (
        isUnavailable ? (
          <AccountFailed />
        ) : (
          <Skeleton width="100%" height={160} />
        )
      ) : (
        <Component
          key={user.userId}
          account={user}
          onDeleted={async () => (await import("../account/log-out.ts")).forgetAccount(locale)}
        >
          {addition === undefined ? null : (
            <Suspense fallback={null}>
              <addition.Component />
            </Suspense>
          )}
        </Component>
      )}
      {user === null ? null : <ReauthenticationDialog hasSecondFactor={user.hasSecondFactor} />}
    </ProfileLayout>
  );
}

type SignedIn = { readonly user: AccountSnapshot | null; readonly isUnavailable: boolean };

/** Who is signed in, null until that is known; where nobody is and no dialog asks about it, the home page opens. */
function useSignedIn(): SignedIn {
  const data = useAccount();
  const { isKnown, isUnavailable, showLoginDialog } = useSnapshot(account);
  const { dialog } = useAuth();
  // The second is Telegram's own dialog.
  const isAsked = dialog !== null || showLoginDialog;
  const isHydrated = useHydrated();
  const [, navigate] = useLocation();
  const [last, setLast] = useState(data);
  if (data !== null && data !== last) setLast(data);
  const isGuest = isHydrated && isKnown && data === null && !isAsked;
  const goHome = useEffectEvent(() => navigate("/", { replace: true }));
  useEffect(() => {
    if (isGuest) goHome();
  }, [isGuest]);
  // Under the dialog of an ended session the page stays, with what was typed into its forms (contract §8).
  const user = isAsked ? (data ?? last) : data;
  return isHydrated ? { user, isUnavailable } : { user: null, isUnavailable: false };
}
