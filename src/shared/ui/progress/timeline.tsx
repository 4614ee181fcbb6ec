import type { ReactNode } from "react";
import { Icon } from "../graphics/icon.tsx";
import "./timeline.css";

export type TimelineItem = {
  readonly state: "done" | "now" | "next" | "warning";
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly time?: ReactNode;
};

/** What has happened, happens and comes, in order; times stand at the right. */
export const Timeline = ({ items }: { readonly items: readonly TimelineItem[] }) => (
  <ol className="w-timeline">
    {items.map((item, index) => (
      <li
        key={index}
        className={`w-timeline__item w-timeline__item--${item.state}`}
        aria-current={item.state === "now" || item.state === "warning" ? "step" : undefined}
      >
        <span className="w-timeline__mark" aria-hidden="true">
          {item.state === "done" ? <Icon name="check" size={16} /> : null}
          {item.state === "warning" ? <Icon name="warning" size={16} /> : null}
        </span>
        <div className="w-timeline__text">
          <p className="w-timeline__title">{item.title}</p>
          {item.detail ? <p className="w-timeline__detail">{item.detail}</p> : null}
        </div>
        {item.time ? <p className="w-timeline__time w-number">{item.time}</p> : null}
      </li>
    ))}
  </ol>
);
