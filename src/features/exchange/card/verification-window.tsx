import { splitLocale } from "#contract/locale.ts";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSnapshot } from "valtio";
import { useAccountEmail } from "../../../shared/account/account.ts";
import { useOnline } from "../../../shared/browser/connectivity.ts";
import { openOutside } from "../../../telegram/open-outside.ts";
import { isTelegram } from "../../../telegram/is-telegram.ts";
import { Dialog, Icon, LogoTile, PrimaryAction, SecondaryAction, Spinner, Timeline } from "../../../shared/ui/index.ts";
import type { CardFlow } from "../model/card-flow.ts";
import { type CheckStep, checkSteps, waitingFor } from "../model/check-steps.ts";
import { knownRate } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";
import { CheckFrame } from "./check-frame.tsx";

/** Pages whose answer lets the provider's page into a frame: the same that `server/site` opens for it. */
const FRAMING_PAGE = /^\/exchange-/;

/**
 * Whether this document may show the provider's page in a frame, by the page that it was loaded as: one that was entered by another
 * page has that one's policy.
 */
function mayFrame(url: string): boolean {
  const [entry] = performance.getEntriesByType("navigation");
  return (
    entry !== undefined &&
    FRAMING_PAGE.test(splitLocale(new URL(entry.name).pathname).path) &&
    new URL(url).protocol.startsWith("http")
  );
}

type VerificationWindowProps = { readonly open: boolean; readonly onClose: () => void };

/** The provider's check of who pays: where it stands, its page in a frame or behind a link, and what is waited for. */
export function VerificationWindow({ open, onClose }: VerificationWindowProps) {
  const { t } = useTranslation("card");
  const { flow, verificationUrl, isUnreachable } = useSnapshot(useExchangeStore().card);
  const terms = knownRate(useExchangeState())?.card ?? null;
  const provider = terms?.provider ?? "";
  const isOnline = useOnline();
  const [wasOpened, setOpened] = useState(false);
  const [isFrameRefused, setFrameRefused] = useState(false);
  const isFramed = verificationUrl !== null && !isTelegram() && mayFrame(verificationUrl) && !isFrameRefused;
  const waiting = t(`waiting.${isUnreachable || !isOnline ? "unreachable" : waitingFor(flow)}`, {
    provider,
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size={isFramed ? "sheet" : "dialog"}
      title={t("window.title", { provider })}
      footer={
        <div className="w-card-window__actions">
          {verificationUrl === null ? null : (
            <PrimaryAction
              stretched
              href={verificationUrl}
              isNewTab
              onClick={(event) => {
                openOutside(event, verificationUrl);
                setOpened(true);
              }}
            >
              {t(isFramed ? "window.newTab" : wasOpened ? "window.openAgain" : "window.open")}
            </PrimaryAction>
          )}
          <SecondaryAction stretched onClick={onClose}>
            {t("window.cancel")}
          </SecondaryAction>
        </div>
      }
    >
      <div className="w-card-window">
        <Parties provider={provider} />
        <p className="w-card-window__text">
          {t(terms?.direction === "sell" ? "window.textSell" : "window.text", { provider })}
        </p>
        <Steps flow={flow} provider={provider} />
        {isFramed ? (
          <CheckFrame
            url={verificationUrl}
            title={t("window.frame", { provider })}
            onRefused={() => setFrameRefused(true)}
          />
        ) : null}
        <p className="w-card-window__waiting">
          <Spinner label={waiting} isLabelShown />
        </p>
      </div>
    </Dialog>
  );
}

/** Who talks to whom: the provider and us. */
const Parties = ({ provider }: { readonly provider: string }) => (
  <p className="w-card-window__parties" aria-hidden="true">
    <span className="w-card-window__provider">{provider.slice(0, 1)}</span>
    <Icon name="exchange" />
    <LogoTile size={40} />
  </p>
);

function Steps({ flow, provider }: { readonly flow: CardFlow; readonly provider: string }) {
  const { t } = useTranslation("card");
  const email = useAccountEmail() ?? "";
  const details: Partial<Record<CheckStep, string>> = {
    account: email,
    ...(flow.step === "confirming-email" && { email: t("step.emailDetail", { provider, email }) }),
    document: t("step.documentDetail"),
  };
  return (
    <Timeline
      items={checkSteps(flow).map(({ name, state }) => ({
        state,
        title: t(`step.${name}`, { provider }),
        detail: details[name],
      }))}
    />
  );
}
