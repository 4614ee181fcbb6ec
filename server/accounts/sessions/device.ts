const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Telegram/i, "Telegram"],
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/YaBrowser\//, "Yandex Browser"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad|iPod/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Mac OS X|Macintosh/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux|X11/, "Linux"],
];

const nameIn = (names: typeof BROWSERS, text: string): string | null =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null;

/** A name of a client for the list of sessions, such as "Firefox on Linux"; null for one that is not known. The rest of what it says is not stored. */
export function deviceName(userAgent: string | null): string | null {
  if (userAgent === null) return null;
  const names = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)].filter((name) => name !== null);
  return names.length === 0 ? null : names.join(" on ");
}
