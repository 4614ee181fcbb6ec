import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BoatIllustration } from "../../../shared/ui/index.ts";
import { AddressPicture, PairPicture } from "./step-pictures.tsx";

export function ThreeSteps() {
  const { t } = useTranslation("home");
  return (
    <ol className="w-three-steps">
      <Step picture={<PairPicture />} title={t("steps.choose")} text={t("steps.chooseText")} />
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
