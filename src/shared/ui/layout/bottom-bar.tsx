import { type ReactNode, useLayoutEffect, useRef } from "react";
import "./bottom-bar.css";

/** Not inherited (base.css): set on the root alone, it cost a new style for every element, 8 ms of a first load's processor time. */
const PROPERTY = "--bottom-bar";
const READERS = "html, [data-above-bottom-bar]";

/** Pins the main button to the lower edge on phones, above the tab bar; part of the flow from 600 px, and on short screens. */
export function BottomBar({ children }: { readonly children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    if (element === null || typeof ResizeObserver === "undefined") return undefined;
    const setHeight = (height: string) => {
      for (const reader of document.querySelectorAll<HTMLElement>(READERS)) reader.style.setProperty(PROPERTY, height);
    };
    const observer = new ResizeObserver(() => setHeight(`${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      setHeight("");
    };
  }, []);
  return (
    <div ref={bar} className="w-bottom-bar">
      {children}
    </div>
  );
}
