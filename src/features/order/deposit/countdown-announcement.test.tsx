import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CountdownAnnouncement } from "./countdown-announcement.tsx";

let box: HTMLElement;
let root: Root;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  box = document.body.appendChild(document.createElement("div"));
  root = createRoot(box);
});
afterEach(async () => {
  await act(async () => root.unmount());
  box.remove();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const announcedAt = async (remainingMs: number) => {
  await act(async () =>
    root.render(<CountdownAnnouncement remainingMs={remainingMs} textOf={(minutes) => `${minutes} left`} />),
  );
  await act(async () => void (await vi.advanceTimersByTimeAsync(5_000)));
  return box.textContent;
};

describe("what is read out of a countdown", () => {
  it.each([
    ["a new offer begins", 600_000],
    ["it has ended", 0],
  ])("is gone once %s", async (_, after) => {
    await announcedAt(61_000);
    expect(await announcedAt(59_000)).toBe("1 left");
    expect(await announcedAt(58_000)).toBe("1 left");
    expect(await announcedAt(after)).toBe("");
  });
});
