import { describe, expect, it } from "vitest";
import { chartPicture } from "./chart-picture.ts";

const at = (values: readonly (number | undefined)[]) =>
  values.map((value, index) => ({ time: index * 60, ...(value !== undefined && { value }) }));

describe("the picture of a chart", () => {
  it("goes from its lowest to its highest price, and names round ones between", () => {
    expect(chartPicture(at([100, 140, 120]))).toEqual({
      line: "M0 90L50 20L100 55",
      area: "M0 90L50 20L100 55V100H0Z",
      levels: [100, 110, 120, 130, 140].map((price, place) => ({ price, y: 90 - place * 17.5 })),
    });
  });

  it("lifts the pen at a gap", () => {
    expect(chartPicture(at([1, 2, undefined, 1, 2]))?.line).toBe("M0 90L25 20M75 90L100 20");
  });

  it("of a price that does not move is a line in the middle", () => {
    expect(chartPicture(at([7, 7]))).toMatchObject({ line: "M0 55L100 55", levels: [{ price: 7, y: 55 }] });
  });

  it("keeps the first and the last of more points than can be drawn", () => {
    const picture = chartPicture(at(Array.from({ length: 1_441 }, (_, index) => index)));
    expect(picture?.line.split("L").length).toBeLessThan(260);
    expect(picture?.line).toMatch(/^M0 90L.*L100 20$/);
  });

  it("needs two prices", () => {
    expect(chartPicture(at([1, undefined]))).toBeNull();
  });
});
