import { useId } from "react";
import type { Instrument } from "#contract/instrument.ts";
import { CoinMark, VisuallyHidden } from "../../../shared/ui/index.ts";

type CoinChipsProps = {
  readonly title: string;
  readonly instruments: readonly Instrument[];
  readonly onChoose: (slug: string) => void;
};

/** A row of coins under a title; nothing where there is none. */
export function CoinChips({ title, instruments, onChoose }: CoinChipsProps) {
  const id = useId();
  if (instruments.length === 0) return null;
  return (
    <>
      <h3 id={id} className="w-coin-selector__heading">
        {title}
      </h3>
      <ul className="w-chips" aria-labelledby={id}>
        {instruments.map((instrument) => (
          <li key={instrument.slug}>
            <button type="button" className="w-chip w-chip--marked" onClick={() => onChoose(instrument.slug)}>
              <CoinMark instrument={instrument} size={28} />
              <span>{instrument.currencyTitle}</span>
              <VisuallyHidden>{instrument.networkFriendlyTitle}</VisuallyHidden>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
