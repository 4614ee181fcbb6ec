import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useSnapshot } from "valtio";
import { account, type AccountSnapshot, useAccount } from "../../../shared/account/account.ts";
import { useExternalLinks } from "../../../shared/page/page-context.ts";
import { useHydrated } from "../../../shared/page/use-hydrated.ts";
import { Icon, Section, Skeleton } from "../../../shared/ui/index.ts";
import { useAuth } from "../store.ts";
import { DataSection } from "./data-section.tsx";
import { EmailRow } from "./email-row.tsx";
import { PasswordRow } from "./password-row.tsx";
import { ProfileLayout } from "./profile-layout.tsx";
import { ReauthenticationDialog } from "./reauthentication-dialog.tsx";
import { Row } from "./row.tsx";
import { SecondFactorRow } from "./second-factor-row.tsx";
import { SessionsList } from "./sessions-list.tsx";

type ProfilePageProps = {
  /** Ends the session and forgets the account on this device. */
  readonly onLogOut: () => Promise<void>;
  /** The account is gone: forgets it on this device. */
  readonly onDeleted: () => Promise<void>;
  /** Nobody is signed in any more, and no dialog asks about it. */
  readonly onGuest: () => void;
};

/** The account's own page. The server renders its frame alone: nothing private is in a page (contract §4). */
export function ProfilePage({ onLogOut, onDeleted, onGuest }: ProfilePageProps) {
  const data = useAccount();
  const { isKnown } = useSnapshot(account);
  const { dialog } = useAuth();
  const isHydrated = useHydrated();
  const isGuest = isHydrated && isKnown && data === null && dialog === null;
  useEffect(() => {
    if (isGuest) onGuest();
    // eslint-disable-next-line react/exhaustive-deps
  }, [isGuest]);
  return (
    <ProfileLayout onLogOut={onLogOut}>
      {data === null || !isHydrated ? <Loading /> : <Profile key={data.userId} data={data} onDeleted={onDeleted} />}
    </ProfileLayout>
  );
}

const Loading = () => (
  <div className="w-profile__card" aria-busy="true">
    <Skeleton width={56} height={56} />
    <Skeleton width="60%" height={24} />
  </div>
);

function Profile({ data, onDeleted }: { readonly data: AccountSnapshot; readonly onDeleted: () => Promise<void> }) {
  const { t } = useTranslation("account");
  const { userId, email, hasSecondFactor } = data;
  return (
    <>
      <Identity data={data} />
      <Section title={t("info.signIn")}>
        <EmailRow email={email} />
        {email === null ? null : <PasswordRow email={email} />}
        <SecondFactorRow isOn={hasSecondFactor} />
        <TelegramRow isLinked={data.isTelegramLinked} />
      </Section>
      <SessionsList userId={userId} />
      <DataSection onDeleted={onDeleted} />
      <ReauthenticationDialog hasSecondFactor={hasSecondFactor} />
    </>
  );
}

function Identity({ data: { email, isTelegramLinked, userId } }: { readonly data: AccountSnapshot }) {
  const { t } = useTranslation("account");
  return (
    <div className="w-profile__card">
      <span className="w-profile__avatar" aria-hidden="true">
        {(email ?? "T").slice(0, 1).toUpperCase()}
      </span>
      <div className="w-profile__who">
        <p className="w-profile__name">{email ?? "Telegram"}</p>
        <p className="w-profile__row-note">{t("info.userId", { userId })}</p>
      </div>
      {isTelegramLinked ? (
        <span className="w-profile__badge">
          <Icon name="check" size={16} />
          Telegram
        </span>
      ) : null}
    </div>
  );
}

/** Linking takes Telegram's launch data, which only the mini-app has. */
function TelegramRow({ isLinked }: { readonly isLinked: boolean }) {
  const { t } = useTranslation("account");
  const { miniAppUrl } = useExternalLinks();
  if (isLinked) return <Row title="Telegram" text={t("telegram.linked")} />;
  if (miniAppUrl === null) return null;
  return <Row title="Telegram" text={<a href={miniAppUrl}>{t("telegram.open")}</a>} />;
}
