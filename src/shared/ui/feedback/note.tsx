import type { ReactNode } from "react";
import { Icon, type IconName } from "../graphics/icon.tsx";
import "./note.css";

type NoteTone = "info" | "signal" | "danger" | "success";

export type NoteProps = {
  readonly tone: NoteTone;
  readonly title: ReactNode;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
};

const ICONS: Record<NoteTone, IconName> = { info: "info", signal: "warning", danger: "error", success: "check" };

/** One icon, one bold line, one sentence, at most one action. `signal` is for money at risk alone. */
export const Note = ({ tone, title, children, action }: NoteProps) => (
  <div className={`w-note w-note--${tone}`} role={tone === "danger" ? "alert" : undefined}>
    <span className="w-note__icon">
      <Icon name={ICONS[tone]} />
    </span>
    <div className="w-note__text">
      <p className="w-note__title">{title}</p>
      {children ? <div className="w-note__body">{children}</div> : null}
    </div>
    {action ? <div className="w-note__action">{action}</div> : null}
  </div>
);
