import { expect, test } from "vitest";
import { pathOf } from "./request-path.ts";

test.each([
  ["/api/v1/health", "/api/v1/health"],
  ["/api?a=/order/#b", "/api"],
  ["/api#b?c", "/api"],
  ["/api/", "/api/"],
  ["/api//v1?a", "/api/v1"],
  ["/api/v1/../x.y~z", "/api/v1/../x.y~z"],
  ["/", "/"],
  ["/?a=/b", "/"],
  ["/%61pi/v1", "/api/v1"],
  ["/ap%49", "/apI"],
  ["//api", "/api"],
  ["/\\order/x", "/order/x"],
  ["/order%2Fx", "/order/x"],
  ["http://elsewhere.example/api", "/api"],
  ["HTTPS://elsewhere.example", "/"],
  ["/%zz/x", "/%zz/x"],
  ["*", "*"],
])("%s is the path %s", (url, path) => {
  expect(pathOf({ url })).toBe(path);
});
