import type { DeepPartial, ChartOptions } from "lightweight-charts";
import { afterEach, expect, test, vi } from "vitest";
import { followTheme, setAppearanceOverride } from "../../../shared/browser/theme.ts";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { PriceChart } from "./price-chart.tsx";

const { applyOptions } = vi.hoisted(() => ({ applyOptions: vi.fn<(options: DeepPartial<ChartOptions>) => void>() }));

vi.mock("lightweight-charts", async (original) => {
  const area = { applyOptions: vi.fn(), setData: vi.fn() };
  const timeScale = () => ({ fitContent: vi.fn() });
  const nothing = () => undefined;
  const chart = {
    applyOptions,
    timeScale,
    addSeries: () => area,
    subscribeCrosshairMove: nothing,
    clearCrosshairPosition: nothing,
    remove: nothing,
  };
  return { ...(await original<object>()), createChart: () => chart };
});

let view: View | null = null;
afterEach(async () => {
  await view?.unmount();
  vi.restoreAllMocks();
});

/** The background that the chart was given last. */
const background = () =>
  applyOptions.mock.calls.map(([{ layout }]) => layout?.background).findLast((given) => given !== undefined);

test("a chart follows Telegram from one dark palette to another", async () => {
  // happy-dom's styles inherit no custom property.
  vi.spyOn(globalThis, "getComputedStyle").mockReturnValue(document.documentElement.style);
  followTheme();
  setAppearanceOverride("dark", { "--surface": "#17212b" });
  view = await render(
    <PriceChart series={[]} range="24h" months="" clock="UTC" locale="en" current={null} onCurrent={() => undefined} />,
  );
  expect(background()).toMatchObject({ color: "#17212b" });
  await settled(() => setAppearanceOverride("dark", { "--surface": "#1c1c1d" }));
  expect(background()).toMatchObject({ color: "#1c1c1d" });
});
