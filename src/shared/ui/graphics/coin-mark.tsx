import { FIAT_SYMBOLS, FILE_MARKS, MARKS } from "#contract/site/coin-marks.ts";
import { firstLetter } from "../../format/first-letter.ts";
import "./coin-mark.css";

export type CoinMarkProps = {
  readonly instrument: {
    readonly currencyTitle: string;
    readonly networkTitle: string;
    readonly instrumentType: "fiat" | "other";
  };
  readonly size: 22 | 24 | 28 | 32 | 36 | 56;
  /** Shows the network as a badge where the coin is not the network's own; on by default. */
  readonly withNetwork?: boolean;
};

/** The picture of a coin; the ticker always stands beside it, so it is hidden from screen readers. */
export function CoinMark({ instrument, size, withNetwork = true }: CoinMarkProps) {
  const { currencyTitle, networkTitle, instrumentType } = instrument;
  const isToken = instrumentType === "other" && currencyTitle !== networkTitle;
  return (
    <span className="w-coin" aria-hidden="true">
      <Disc title={currencyTitle} isFiat={instrumentType === "fiat"} size={size} />
      {isToken && withNetwork ? (
        <span className="w-coin__badge">
          <Disc title={networkTitle} isFiat={false} size={Math.max(14, size / 2)} />
        </span>
      ) : null}
    </span>
  );
}

function Disc({ title, isFiat, size }: { readonly title: string; readonly isFiat: boolean; readonly size: number }) {
  const mark = isFiat ? undefined : MARKS[title];
  const fileColour = isFiat ? undefined : FILE_MARKS[title];
  return (
    <svg className="w-coin__disc" width={size} height={size} viewBox="0 0 32 32">
      <circle cx="16" cy="16" r="16" fill={mark?.colour ?? fileColour ?? "var(--slate)"} />
      {mark !== undefined ? (
        <g fill="#fff">
          {mark.parts.map(([outline, opacity]) => (
            <path key={outline} d={outline} opacity={opacity} />
          ))}
        </g>
      ) : fileColour !== undefined ? (
        <use href={`/icons/coins.svg#${title.toLowerCase()}`} />
      ) : (
        <Letter text={(isFiat ? FIAT_SYMBOLS[title] : undefined) ?? firstLetter(title)} />
      )}
      <circle cx="16" cy="16" r="15.5" fill="none" stroke="var(--mark-edge)" />
    </svg>
  );
}

const Letter = ({ text }: { readonly text: string }) => (
  <text x="16" y="22" textAnchor="middle" fill="#fff" fontSize="17" fontWeight="600">
    {text}
  </text>
);
