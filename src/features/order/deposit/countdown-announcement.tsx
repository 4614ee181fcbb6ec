import { useEffect, useRef, useState } from "react";
import { LiveRegion } from "../../../shared/ui/index.ts";
import { type AnnouncementMinutes, announcementBetween } from "../model/view/countdown.ts";

type CountdownAnnouncementProps = {
  readonly remainingMs: number;
  readonly textOf: (minutes: AnnouncementMinutes) => string;
};

/** Tells screen readers what is left of a countdown, at 10, 5, 2 and 1 minute alone. */
export function CountdownAnnouncement({ remainingMs, textOf }: CountdownAnnouncementProps) {
  const before = useRef(remainingMs);
  const [minutes, setMinutes] = useState<AnnouncementMinutes | null>(null);
  useEffect(() => {
    const passed = announcementBetween(before.current, remainingMs);
    // A new offer has its own time, and the end is announced as a state of its own.
    const isStale = remainingMs > before.current || remainingMs === 0;
    before.current = remainingMs;
    if (isStale) setMinutes(null);
    else if (passed !== null) setMinutes(passed);
  }, [remainingMs]);
  return <LiveRegion text={minutes === null ? "" : textOf(minutes)} />;
}
