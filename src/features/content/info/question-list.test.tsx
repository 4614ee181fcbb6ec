import { afterEach, expect, it } from "vitest";
import { render, settled } from "../../../shared/testing/render.tsx";
import { QuestionList } from "./question-list.tsx";

const question = (id: string) => ({ id, title: id, html: "<p>answer</p>", text: "answer" });

afterEach(() => {
  location.hash = "";
});

it("a link to a question opens it, on arrival and on the page", async () => {
  location.hash = "#second";
  const view = await render(<QuestionList questions={[question("first"), question("second")]} />);
  const open = () => [...view.container.querySelectorAll("details")].map((details) => details.open);
  expect(open()).toEqual([false, true]);
  await settled(() => {
    location.hash = "#first";
    dispatchEvent(new Event("hashchange"));
  });
  expect(open()).toEqual([true, true]);
  await view.unmount();
});
