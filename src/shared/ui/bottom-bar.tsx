import { type ReactNode, useLayoutEffect, useRef } from "react";
import "./bottom-bar.css";

/** Pins the main button to the lower edge on phones, above the tab bar; part of the flow from 600 px, and on short screens. */
export function BottomBar({ children }: { readonly children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = bar.current;
    if (element === null || typeof ResizeObserver === "undefined") return undefined;
    const root = document.documentElement;
    const observer = new ResizeObserver(() => root.style.setProperty("--bottom-bar", `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.style.removeProperty("--bottom-bar");
    };
  }, []);
  return (
    <div ref={bar} className="w-bottom-bar">
      {children}
    </div>
  );
}
