import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useRateLockMinutes } from "../../../shared/page/page-context.ts";
import { BoatIllustration, CoinMark, Icon } from "../../../shared/ui/index.ts";
import type { Mark } from "../load.ts";

export function ThreeSteps() {
  const { t } = useTranslation("home");
  const count = useRateLockMinutes();
  return (
    <ol className="w-three-steps">
      <Step picture={<PairPicture />} title={t("steps.choose")} text={t("steps.chooseText", { count })} />
      <Step picture={<AddressPicture />} title={t("steps.send")} text={t("steps.sendText")} />
      <Step picture={<BoatIllustration />} title={t("steps.receive")} text={t("steps.receiveText")} />
    </ol>
  );
}

const Step = ({
  picture,
  title,
  text,
}: {
  readonly picture: ReactNode;
  readonly title: string;
  readonly text: string;
}) => (
  <li className="w-three-steps__step">
    <span className="w-three-steps__picture" aria-hidden="true">
      {picture}
    </span>
    <div>
      <h3>{title}</h3>
      <p>{text}</p>
    </div>
  </li>
);

const ETHER: Mark = { currencyTitle: "ETH", networkTitle: "ETH", instrumentType: "other" };
const TETHER: Mark = { currencyTitle: "USDT", networkTitle: "ETH", instrumentType: "other" };

/** Two coins and the way between them. */
const PairPicture = () => (
  <span className="w-pair-picture">
    <CoinMark instrument={ETHER} size={56} />
    <Icon name="arrow-right" size={24} />
    <CoinMark instrument={TETHER} size={56} />
  </span>
);

const GROUPS = Array.from({ length: 10 }, (_, index) => ({
  x: (index % 4) * 46,
  y: Math.floor(index / 4) * 24,
  index,
}));

/** An address in groups of four, the first and the last two strong. */
const AddressPicture = () => (
  <svg width="176" height="58" viewBox="0 0 176 58">
    {GROUPS.map(({ x, y, index }) => (
      <rect
        key={index}
        x={x}
        y={y}
        width="38"
        height="10"
        rx="5"
        fill={index < 2 || index > 7 ? "var(--text)" : "var(--accent-line)"}
      />
    ))}
  </svg>
);

/** A phone with the calculator's two sides, without figures. */
export const PhonePicture = () => (
  <div className="w-phone" aria-hidden="true">
    <div className="w-phone__screen">
      {[ETHER, TETHER].map((coin) => (
        <div key={coin.currencyTitle} className="w-phone__side">
          <span className="w-phone__sum" />
          <CoinMark instrument={coin} size={36} />
        </div>
      ))}
      <span className="w-phone__button" />
    </div>
  </div>
);
