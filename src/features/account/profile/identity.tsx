import { useTranslation } from "react-i18next";
import type { AccountSnapshot } from "../../../shared/account/account.ts";
import { firstLetter } from "../../../shared/format/first-letter.ts";
import { Icon, Skeleton } from "../../../shared/ui/index.ts";

/** Who is signed in; grey until that is known. */
export function Identity({ account }: { readonly account: AccountSnapshot | null }) {
  const { t } = useTranslation("account");
  if (account === null)
    return (
      <div className="w-profile__card w-profile__identity" aria-busy="true">
        <Skeleton width={56} height={56} />
        <Skeleton width="60%" height={24} />
      </div>
    );
  const { email, isTelegramLinked, userId } = account;
  return (
    <div className="w-profile__card w-profile__identity">
      <span className="w-profile__avatar" aria-hidden="true">
        {firstLetter(email ?? "T").toUpperCase()}
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
