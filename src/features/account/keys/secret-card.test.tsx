import { expect, onTestFinished, test } from "vitest";
import { render } from "../../../shared/testing/render.tsx";
import { SecretCard } from "./secret-card.tsx";

test("whoever made a secret is led to it, and it is read out by no live region", async () => {
  const view = await render(
    <SecretCard title="Key made" text="Save it now" savedLabel="I saved it" onDone={() => undefined}>
      <p>ws_secret</p>
    </SecretCard>,
  );
  onTestFinished(() => view.unmount());
  expect(document.activeElement?.textContent).toBe("Key made");
  expect(view.container.querySelector("[role=status], [role=alert], [aria-live]")).toBeNull();
});
