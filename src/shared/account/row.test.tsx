import { expect, onTestFinished, test } from "vitest";
import { render } from "../testing/render.tsx";
import { Row } from "./row.tsx";

test("a row whose action failed says so at once and keeps its text", async () => {
  const row = (failure: string | null) => (
    <Row title="Your data" text="As a file" failure={failure} action="Download" onAction={() => undefined} />
  );
  const view = await render(row(null));
  onTestFinished(() => view.unmount());
  expect(view.container.querySelector("[role=alert]")).toBeNull();
  await view.rerender(row("Try again later"));
  expect(view.get("[role=alert]").textContent).toBe("Try again later");
  expect(view.container.textContent).toContain("As a file");
});

test("a row with the title of its section says it in the name of its action alone", async () => {
  const view = await render(
    <Row title="Monthly payouts" isTitledAbove text="Off" action="Set an address" onAction={() => undefined} />,
  );
  onTestFinished(() => view.unmount());
  expect(view.get(".w-profile__row-text").textContent).toBe("Off");
  expect(view.get("button").textContent).toBe("Set an address Monthly payouts");
});
