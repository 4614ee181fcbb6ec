import { afterEach, expect, test } from "vitest";
import { render, type View } from "../../../shared/testing/render.tsx";
import { AmountField } from "./amount-field.tsx";

let view: View;
afterEach(() => view.unmount());

const computed = (amount: string) => (
  <AmountField
    id="get"
    name="get"
    amount={amount}
    decimals={6}
    isTyped={false}
    placeholder=""
    onAmount={() => undefined}
    isInvalid={false}
    describedBy={undefined}
  />
);
const field = () => view.container.querySelector("input") as HTMLInputElement;
const selected = () => field().value.slice(field().selectionStart ?? 0, field().selectionEnd ?? 0);

test("a computed amount that is selected to be replaced stays selected when a new rate changes it", async () => {
  view = await render(computed("491.787761"));
  field().focus();
  // A new rate may come before the browser says that the selection has changed.
  field().select();
  await view.rerender(computed("1492.3"));
  expect(field().value).toBe("1\u202f492.3");
  expect(selected()).toBe("1\u202f492.3");
});

test("a computed amount that comes into an empty field in which somebody is about to type is selected", async () => {
  view = await render(computed(""));
  field().focus();
  field().select();
  await view.rerender(computed("461.990022"));
  expect(selected()).toBe("461.990022");
});

test("one with the caret in it is not selected by a new rate", async () => {
  view = await render(computed("491.787761"));
  field().focus();
  field().setSelectionRange(3, 3);
  await view.rerender(computed("492"));
  expect(selected()).toBe("");
});

test.each([
  ["491.787761", "491.7", "491"],
  ["0.012345", "0.01234", "0.01"],
])("a computed amount keeps its size when its last decimals are zeros: %s", async (...amounts) => {
  view = await render(computed(amounts[0]));
  const size = field().dataset["length"];
  for (const amount of amounts) {
    await view.rerender(computed(amount));
    expect([field().value, field().dataset["length"]]).toEqual([amount, size]);
  }
});
