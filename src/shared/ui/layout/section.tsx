import { Section as TelegramSection } from "@telegram-apps/telegram-ui";
import { type ReactNode, useId } from "react";
import "./section.css";

export type SectionProps = {
  readonly title?: ReactNode;
  readonly footer?: ReactNode;
  readonly children: ReactNode;
  readonly headingLevel?: 2 | 3;
};

/** A grouped section with an optional heading above and a caption below. */
export function Section({ title, footer, children, headingLevel = 2 }: SectionProps) {
  const id = useId();
  const Heading = `h${headingLevel}` as const;
  // Elements, not texts: telegram-ui would set these in an <h1> and an <h6>.
  return (
    <TelegramSection
      className="w-section"
      aria-labelledby={title ? id : undefined}
      header={
        title ? (
          <Heading id={id} className="w-section__title">
            {title}
          </Heading>
        ) : null
      }
      footer={footer ? <div className="w-section__footer">{footer}</div> : null}
    >
      <div className="w-section__body">{children}</div>
    </TelegramSection>
  );
}
