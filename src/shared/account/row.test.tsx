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
