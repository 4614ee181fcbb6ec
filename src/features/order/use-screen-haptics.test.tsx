import { afterEach, expect, test } from "vitest";
import { type Haptic, provideHaptics } from "../../shared/browser/haptics.ts";
import { render, type View } from "../../shared/testing/render.tsx";
import type { Screen } from "./model/screen.ts";
import { useScreenHaptics } from "./page/state-announcement.tsx";

function Order({ screen }: { readonly screen: Screen }) {
  useScreenHaptics(screen);
  return null;
}

let view: View;
afterEach(() => view.unmount());

test.each<[screens: Screen[], played: Haptic[]]>([
  [["completed"], []],
  [["send", "processing", "completed"], ["completed"]],
  [["preparing", "send", "expired"], ["warning"]],
  [
    ["processing", "choice", "choice", "refund", "refunded"],
    ["warning", "completed"],
  ],
])("an order that comes to %j plays %j", async (screens, expected) => {
  const played: Haptic[] = [];
  provideHaptics((haptic) => void played.push(haptic));
  view = await render(<Order screen={screens[0] as Screen} />);
  for (const screen of screens.slice(1)) await view.rerender(<Order screen={screen} />);
  expect(played).toEqual(expected);
});
