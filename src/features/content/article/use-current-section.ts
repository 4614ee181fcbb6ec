import { useEffect, useState } from "react";

/** A heading counts as read from this part of the screen's height on. */
const READING_LINE = 0.35;

/** The id of the section that is being read; null above the first one. */
export function useCurrentSection(ids: readonly string[]): string | null {
  const [current, setCurrent] = useState<string | null>(null);
  const key = ids.join(" ");
  useEffect(() => {
    const headings = key
      .split(" ")
      .map((id) => document.getElementById(id))
      .filter((heading) => heading !== null);
    let frame = 0;
    const follow = () => {
      frame = 0;
      const line = innerHeight * READING_LINE;
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top <= line);
      setCurrent(passed.at(-1)?.id ?? null);
    };
    // Not an observer: it isn't called for a heading that a jump takes past the screen. Once for each frame.
    const move = () => {
      if (frame === 0) frame = requestAnimationFrame(follow);
    };
    move();
    addEventListener("scroll", move, { passive: true });
    addEventListener("resize", move);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", move);
      removeEventListener("resize", move);
    };
  }, [key]);
  return current;
}
