import { type CSSProperties, type RefObject, useEffect, useRef, useState } from "react";

type Scaled = {
  /** As wide as there is room. */
  readonly room: RefObject<HTMLDivElement | null>;
  /** As wide as it is shown for. */
  readonly content: RefObject<HTMLDivElement | null>;
  /** Of what is drawn: 1 where there is room enough. */
  readonly scale: number;
  /** Of the box around the content, and of the content. */
  readonly boxStyle: CSSProperties;
  readonly contentStyle: CSSProperties;
};

/** Lays content out at its own width, and draws it smaller where there is less room. */
export function useScale(width: number): Scaled {
  const room = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [measured, setMeasured] = useState({ room: width, height: 0 });
  useEffect(() => {
    const [outer, inner] = [room.current, content.current];
    if (outer === null || inner === null) return undefined;
    const observer = new ResizeObserver(() => {
      const now = { room: outer.clientWidth, height: inner.offsetHeight };
      setMeasured((before) => (before.room === now.room && before.height === now.height ? before : now));
    });
    observer.observe(outer);
    observer.observe(inner);
    return () => observer.disconnect();
  }, []);
  const scale = Math.min(1, measured.room / width);
  const isSmaller = scale < 1;
  return {
    room,
    content,
    scale,
    boxStyle: { inlineSize: width * scale, ...(isSmaller && { blockSize: measured.height * scale }) },
    contentStyle: { inlineSize: width, ...(isSmaller && { transform: `scale(${scale})` }) },
  };
}
