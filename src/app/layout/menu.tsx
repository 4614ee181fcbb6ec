import { type ReactNode, useEffect, useRef } from "react";
import "./menu.css";

export type MenuProps = {
  readonly label: string;
  readonly summary: ReactNode;
  readonly children: ReactNode;
};

/** A small list behind a button; works before hydration. Esc, a click elsewhere and a choice close it. */
export function Menu({ label, summary, children }: MenuProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const element = details.current;
    if (element === null) return undefined;
    const close = (event: Event) => {
      if (!element.open || !isEnd(event, element)) return;
      element.open = false;
      if (!isElsewhere(event, element)) element.querySelector("summary")?.focus();
    };
    const kinds = ["pointerdown", "focusin", "keydown", "click"];
    for (const kind of kinds) document.addEventListener(kind, close);
    return () => {
      for (const kind of kinds) document.removeEventListener(kind, close);
    };
  }, []);
  return (
    <details ref={details} className="w-menu">
      <summary className="w-menu__button" aria-label={label}>
        {summary}
      </summary>
      <ul className="w-menu__list">{children}</ul>
    </details>
  );
}

const isElsewhere = ({ target, type }: Event, menu: HTMLElement): boolean =>
  type !== "keydown" && target instanceof Node && !menu.contains(target);

function isEnd(event: Event, menu: HTMLElement): boolean {
  if (event instanceof KeyboardEvent) return event.key === "Escape";
  if (event.type === "click") return event.target instanceof Element && event.target.closest(".w-menu__list") !== null;
  return isElsewhere(event, menu);
}
