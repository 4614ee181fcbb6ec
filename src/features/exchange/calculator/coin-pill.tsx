import type { Instrument } from "#contract/instrument.ts";
import { CoinMark, Icon, VisuallyHidden } from "../../../shared/ui/index.ts";
import "./coin-pill.css";

type CoinPillProps = {
  readonly id: string;
  readonly instrument: Instrument;
  /** What pressing it does, after the coin's name. */
  readonly action: string;
  readonly onPress: () => void;
};

/** The coin of a side; opens the list of coins. */
export const CoinPill = ({ id, instrument, action, onPress }: CoinPillProps) => (
  <button id={id} type="button" className="w-coin-pill" aria-haspopup="dialog" onClick={onPress}>
    <CoinMark instrument={instrument} size={32} />
    <span className="w-coin-pill__text">
      <span className="w-coin-pill__ticker">{instrument.currencyTitle}</span>
      <span className="w-coin-pill__network">{instrument.networkFriendlyTitle}</span>
      <VisuallyHidden>{action}</VisuallyHidden>
    </span>
    <Icon name="chevron-down" size={18} />
  </button>
);
