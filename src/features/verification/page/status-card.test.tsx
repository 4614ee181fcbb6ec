import { describe, expect, test } from "vitest";
import { render } from "../../../shared/testing/render.tsx";
import { StatusCard } from "./status-card.tsx";

const noop = () => undefined;

describe("how the check stands", () => {
  test("has the focus as the answer to what was sent, and not on the way in", async () => {
    const view = await render(
      <StatusCard status="CREATED" rejectReason={null} hasDraft={false} isAnswer onStart={noop} />,
    );
    expect(document.activeElement?.textContent).toBe("Documents sent");
    await view.unmount();
    const other = await render(
      <StatusCard status="CREATED" rejectReason={null} hasDraft={false} isAnswer={false} onStart={noop} />,
    );
    expect(document.activeElement?.textContent).not.toBe("Documents sent");
    await other.unmount();
  });
});
