import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { CheckFrame } from "./check-frame.tsx";

const URL_OF_CHECK = "https://provider.example/kyc?access_token=t";

let view: View;
let refused: number;
beforeEach(async () => {
  vi.useFakeTimers();
  refused = 0;
  view = await render(<CheckFrame url={URL_OF_CHECK} title="The check" onRefused={() => void (refused += 1)} />);
});
afterEach(async () => {
  await view.unmount();
  vi.useRealTimers();
});

const violate = (effectiveDirective: string, blockedURI: string) =>
  settled(() => {
    document.dispatchEvent(Object.assign(new Event("securitypolicyviolation"), { effectiveDirective, blockedURI }));
  });

it("is replaced by a link once the page's policy blocks it, and for no other violation", async () => {
  await violate("frame-src", "https://elsewhere.example/");
  await violate("img-src", URL_OF_CHECK);
  expect(refused).toBe(0);
  await violate("frame-src", URL_OF_CHECK);
  expect(refused).toBe(1);
});

it("may use the camera for its own origin alone, discloses no address of ours, and can't navigate this page", () => {
  const frame = document.querySelector("iframe");
  expect([frame?.getAttribute("allow"), frame?.getAttribute("referrerpolicy")]).toEqual([
    "camera https://provider.example",
    "no-referrer",
  ]);
  expect(frame?.getAttribute("sandbox")).not.toContain("allow-top-navigation");
});

it("that says nothing for long offers the way around", async () => {
  expect(document.querySelectorAll("p")).toHaveLength(0);
  await settled(() => vi.advanceTimersByTimeAsync(8_000));
  expect(document.querySelectorAll("p")).toHaveLength(1);
});
