import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadTelegramClient } from "../../../telegram/load-client.ts";
import type { AccountSnapshot } from "../../../shared/account/account.ts";
import { firstLetter } from "../../../shared/format/first-letter.ts";
import { abortOnCleanup } from "../../../shared/page/abort-on-cleanup.ts";
import { Avatar, Badge, classNames, Icon, Skeleton } from "../../../shared/ui/index.ts";

/** Longer ones would take more than the two lines that a phone keeps for them. */
const LONG_EMAIL = 36;

/** Who is signed in; grey until that is known. */
export function Identity({ account }: { readonly account: AccountSnapshot | null }) {
  const { t } = useTranslation("account");
  const telegramName = useTelegramName();
  if (account === null)
    return (
      <div className="w-profile__card w-profile__identity" aria-busy="true">
        <Skeleton width={56} height={56} />
        <Skeleton width="60%" height={24} />
      </div>
    );
  const { email, isTelegramLinked, userId } = account;
  const name = telegramName ?? "Telegram";
  return (
    <div className="w-profile__card w-profile__identity">
      <Avatar initials={email === null ? initialsOf(name) : firstLetter(email).toUpperCase()} />
      <div className="w-profile__who">
        <p
          className={classNames("w-profile__name", (email?.length ?? 0) > LONG_EMAIL && "w-profile__name--long")}
          translate="no"
        >
          {email === null ? name : <Email email={email} />}
        </p>
        <p className="w-profile__row-note">{t("info.userId", { userId })}</p>
      </div>
      {isTelegramLinked ? (
        <Badge tone="accent" size="m">
          <Icon name="check" size={16} />
          Telegram
        </Badge>
      ) : null}
    </div>
  );
}

/** A long one is broken before its `@`. */
function Email({ email }: { readonly email: string }) {
  const at = email.lastIndexOf("@");
  return (
    <>
      {email.slice(0, at)}
      <wbr />
      {email.slice(at)}
    </>
  );
}

/** Of the first word and the last. */
function initialsOf(name: string): string {
  const words = name.split(/\s+/u);
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words;
  return ends.map((word) => firstLetter(word ?? "").toUpperCase()).join("");
}

/** Whose Telegram the page is in; null on the web, and until its client has said. */
function useTelegramName(): string | null {
  const [name, setName] = useState<string | null>(null);
  useEffect(
    () =>
      abortOnCleanup(async (signal) => {
        const client = await loadTelegramClient();
        if (!signal.aborted) setName(client?.personName ?? null);
      }),
    [],
  );
  return name;
}
