import { afterEach, expect, test } from "vitest";
import { render, settled, type View } from "../../../shared/testing/render.tsx";
import { statistics } from "../testing/samples.ts";
import { DayBars } from "./day-bars.tsx";

let view: View;
afterEach(() => view.unmount());

const slider = () => view.get("[role=slider]");
const said = () => slider().getAttribute("aria-valuetext")?.replace(/\s/g, " ");
const key = (name: string) =>
  settled(() => slider().dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true })));

test("the newest day is written out at first, and the arrow keys lead to each other one", async () => {
  view = await render(<DayBars days={statistics("9.84", "0", "1.5").days} ticker="USDT" />);
  expect(said()).toBe("21 Nov: 1.5 USDT, 2 exchanges, 20 clicks");
  expect(slider().getAttribute("aria-valuenow")).toBe("3");
  await key("ArrowLeft");
  expect(said()).toBe("20 Nov: 0 USDT, 1 exchange, 10 clicks");
  await key("Home");
  expect(said()).toBe("19 Nov: 9.84 USDT, 0 exchanges, 0 clicks");
  await key("ArrowLeft");
  expect(slider().getAttribute("aria-valuenow")).toBe("1");
  await key("End");
  await key("ArrowRight");
  expect(slider().getAttribute("aria-valuenow")).toBe("3");
  const bars = [...view.container.querySelectorAll<HTMLElement>(".w-day-bars__bar")];
  expect(bars.map(({ style }) => style.blockSize || style.getPropertyValue("block-size"))).toEqual([
    "98.4%",
    "0%",
    "15%",
  ]);
  expect(bars.map(({ dataset }) => dataset["chosen"] !== undefined)).toEqual([false, false, true]);
});

test("days without earnings say so, and a span without days has no chart", async () => {
  view = await render(<DayBars days={statistics("0", "0").days} ticker="USDT" />);
  expect(view.container.textContent).toContain("Nothing earned in these days");
  await view.rerender(<DayBars days={[]} ticker="USDT" />);
  expect(view.container.querySelector("[role=slider]")).toBeNull();
});
