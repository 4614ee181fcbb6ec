import { afterEach, expect, test } from "vitest";
import { render, type View } from "../../shared/testing/render.tsx";
import { adoptMessenger } from "../../telegram/sdk/current.ts";
import type { Feeling } from "../../telegram/sdk/haptics.ts";
import type { Messenger } from "../../telegram/sdk/port.ts";
import type { Screen } from "./model/screen.ts";
import { useFeltScreen } from "./use-felt-screen.ts";

function Order({ screen }: { readonly screen: Screen }) {
  useFeltScreen(screen);
  return null;
}

let view: View;
afterEach(() => view.unmount());

test.each<[screens: Screen[], felt: Feeling[]]>([
  [["completed"], []],
  [["send", "processing", "completed"], ["completed"]],
  [["preparing", "send", "expired"], ["warning"]],
  [
    ["processing", "choice", "choice", "refund", "refunded"],
    ["warning", "completed"],
  ],
])("an order that comes to %j is felt as %j", async (screens, felt) => {
  const feelings: Feeling[] = [];
  adoptMessenger({ feel: (feeling) => void feelings.push(feeling) } as Pick<Messenger, "feel"> as Messenger);
  view = await render(<Order screen={screens[0] as Screen} />);
  for (const screen of screens.slice(1)) await view.rerender(<Order screen={screen} />);
  expect(feelings).toEqual(felt);
});
