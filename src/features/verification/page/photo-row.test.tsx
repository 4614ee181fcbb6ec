import { StrictMode } from "react";
import { expect, onTestFinished, test, vi } from "vitest";
import { render } from "../../../shared/testing/render.tsx";
import { PhotoRow } from "./photo-row.tsx";

test("a photo's URL is valid as long as it is on the page, also where effects run twice, and is revoked after that", async () => {
  const alive = new Set<string>();
  let made = 0;
  vi.spyOn(URL, "createObjectURL").mockImplementation(() => {
    const url = `blob:photo-${(made += 1)}`;
    alive.add(url);
    return url;
  });
  vi.spyOn(URL, "revokeObjectURL").mockImplementation((url) => void alive.delete(url));
  onTestFinished(() => void vi.restoreAllMocks());
  const row = (photo: Blob | null) => (
    <StrictMode>
      <PhotoRow
        field="facePhoto"
        name="Your face"
        photo={photo}
        problem={null}
        isWorking={false}
        onShoot={() => undefined}
        onFile={() => undefined}
      />
    </StrictMode>
  );
  const view = await render(row(new Blob(["one"])));
  onTestFinished(() => view.unmount());
  const shown = () => view.get<HTMLImageElement>("img").src;
  expect([...alive]).toEqual([shown()]);
  await view.rerender(row(new Blob(["two"])));
  expect([...alive]).toEqual([shown()]);
  await view.rerender(row(null));
  expect(alive.size).toBe(0);
});
