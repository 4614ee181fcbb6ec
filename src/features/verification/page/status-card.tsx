import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { REJECT_REASONS, type VerificationStatus } from "#contract/accounts/verification.ts";
import { AccountIcon, BottomBar, classNames, Icon, PrimaryAction } from "../../../shared/ui/index.ts";

type StatusCardProps = VerificationStatus & {
  /** Something was typed here before. */
  readonly hasDraft: boolean;
  /** It answers what was just sent. */
  readonly isAnswer: boolean;
  readonly onStart: () => void;
};

/** How the check stands, and what happens next. */
export function StatusCard({ status, rejectReason, hasDraft, isAnswer, onStart }: StatusCardProps) {
  const { t } = useTranslation("verification");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (isAnswer) heading.current?.focus();
  }, [isAnswer]);
  const reason = REJECT_REASONS.find((known) => known === rejectReason);
  const start = status === "REJECT" ? "again" : hasDraft ? "continue" : "start";
  return (
    <>
      <div className="w-profile__card w-check">
        <span className={classNames("w-check__tile", `w-check__tile--${status.toLowerCase()}`)}>
          {status === "CREATED" || status === "PROCESS" ? (
            <Icon name="clock" />
          ) : status === "REJECT" ? (
            <Icon name="error" />
          ) : (
            <AccountIcon name="shield" />
          )}
        </span>
        <div className="w-check__text" role="status">
          <h2 ref={heading} className="w-check__title" tabIndex={-1}>
            {t(`status.${status}`)}
          </h2>
          {status === "REJECT" ? <p>{reason === undefined ? rejectReason : t(`reason.${reason}`)}</p> : null}
          <p className="w-check__next">{t(`status.${status}_text`)}</p>
        </div>
      </div>
      {status === "NOT_STARTED" || status === "REJECT" ? (
        <BottomBar>
          <PrimaryAction stretched onClick={onStart}>
            {t(`status.${start}`)}
          </PrimaryAction>
        </BottomBar>
      ) : null}
    </>
  );
}
