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
  return (
    <section className="w-section" aria-labelledby={title ? id : undefined}>
      {title ? (
        <Heading id={id} className="w-section__title">
          {title}
        </Heading>
      ) : null}
      <div className="w-section__body">{children}</div>
      {footer ? <div className="w-section__footer">{footer}</div> : null}
    </section>
  );
}
