import { useTranslation } from "react-i18next";
import { pairNames } from "../../../shared/format/pair-names.ts";
import { formatCrypto } from "../../../shared/format/format.ts";
import { useRateLockMinutes } from "../../../shared/page/page-context.ts";
import { Button, CoinMark, Icon, Skeleton, VisuallyHidden } from "../../../shared/ui/index.ts";
import { exchangePath } from "../model/calculator-url.ts";
import { instrumentOf, knownRate, rateStatus, settingsOf } from "../store/selectors.ts";
import { useExchangeState, useExchangeStore } from "../store/provider.tsx";

/** What the order is about, in one line, and the link back to the calculator. */
export function OrderSum() {
  const { t } = useTranslation("exchange");
  const { catalogue } = useExchangeStore();
  const state = useExchangeState();
  const rate = rateStatus(catalogue, state) === "ready" ? knownRate(state) : null;
  const [from, to] = [instrumentOf(catalogue, state.from), instrumentOf(catalogue, state.to)];
  const names = pairNames(from, to);
  const isFixed = state.rateMode === "FIXED";
  const rateLockMinutes = useRateLockMinutes();
  return (
    <div className="w-order-sum">
      <span className="w-order-sum__coins">
        <CoinMark instrument={from} size={28} withNetwork={false} />
        <CoinMark instrument={to} size={28} />
      </span>
      <div className="w-order-sum__text">
        {rate === null ? (
          <Skeleton width="80%" height={22} />
        ) : (
          <p className="w-order-sum__amounts w-number">
            {t(isFixed ? "destination.sum" : "destination.sumAbout", {
              give: formatCrypto(rate.amountToGive, from.precisionDecimals),
              from: names.from,
              get: formatCrypto(rate.amountToGet),
              to: names.to,
            })}
          </p>
        )}
        <p className="w-order-sum__mode">
          {isFixed ? t("destination.fixedHeld", { minutes: rateLockMinutes }) : t("destination.floating")}
        </p>
      </div>
      <div className="w-order-sum__change">
        <Button variant="plain" href={exchangePath(settingsOf(state))} icon={<Icon name="pencil" />}>
          <VisuallyHidden>{t("destination.change")}</VisuallyHidden>
        </Button>
      </div>
    </div>
  );
}

/** What Telegram's own button says, with the sum in it; undefined while the sum is not known. */
export function useCreateLabel(): string | undefined {
  const { t } = useTranslation("exchange");
  const { catalogue } = useExchangeStore();
  const state = useExchangeState();
  const rate = rateStatus(catalogue, state) === "ready" ? knownRate(state) : null;
  if (rate === null) return undefined;
  const { precisionDecimals, currencyTitle } = instrumentOf(catalogue, state.from);
  const amount = `${formatCrypto(rate.amountToGive, precisionDecimals)}\u00A0${currencyTitle}`;
  return t("destination.createFor", { amount });
}
