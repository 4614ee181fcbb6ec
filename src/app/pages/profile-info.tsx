import { useLocation } from "wouter";
import { useTranslation } from "react-i18next";
import { profileHead } from "../../features/account/head.ts";
import { ProfilePage } from "../../features/account/profile/profile-page.tsx";
import { useLocale } from "../../shared/i18n/index.ts";
import { notify } from "../../shared/page/notifications.ts";
import { definePage } from "../router/define-page.ts";

/** Only the browser knows the account: a page has nothing private in it. */
export const page = definePage<null>({
  Page: ProfileInfo,
  load: async () => ({ kind: "page", data: null }),
  head: profileHead,
});

function ProfileInfo() {
  const { t } = useTranslation("account");
  const locale = useLocale();
  const [, navigate] = useLocation();
  const leave = async () => {
    const { logOut } = await import("../account/log-out.ts");
    if (!(await logOut(locale))) notify({ type: "error", message: t("profile.logOutFailed") });
  };
  return (
    <ProfilePage
      onLogOut={leave}
      onDeleted={async () => (await import("../account/log-out.ts")).forgetAccount(locale)}
      onGuest={() => navigate("/", { replace: true })}
    />
  );
}
