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
    const follow = () => {
      const line = innerHeight * READING_LINE;
      const passed = headings.filter((heading) => heading.getBoundingClientRect().top <= line);
      setCurrent(passed.at(-1)?.id ?? null);
    };
    const observer = new IntersectionObserver(follow, { rootMargin: `0px 0px -${100 - READING_LINE * 100}% 0px` });
    for (const heading of headings) observer.observe(heading);
    return () => observer.disconnect();
  }, [key]);
  return current;
}
