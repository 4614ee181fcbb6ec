import { expect, it } from "vitest";
import type { PageSection } from "#contract/site/pages.ts";
import { searchQuestions } from "./search-questions.ts";

const question = (title: string, text: string) => ({ id: title, title, html: "", text });
const SECTIONS: PageSection[] = [
  {
    id: "a",
    title: "Sending",
    html: "",
    questions: [question("I forgot the memo", "Send us the order number."), question("Too little", "Top it up.")],
  },
  { id: "b", title: "Возвраты", html: "", questions: [question("Где перевод?", "Ждёт подтверждений сети.")] },
];
const found = (search: string) =>
  searchQuestions(SECTIONS, search).flatMap(({ questions }) => questions.map(({ title }) => title));

it.each([
  ["", ["I forgot the memo", "Too little", "Где перевод?"]],
  ["  ", ["I forgot the memo", "Too little", "Где перевод?"]],
  ["memo", ["I forgot the memo"]],
  ["MEMO order", ["I forgot the memo"]],
  ["ord", ["I forgot the memo"]],
  ["memo little", []],
  ["emo", []],
  ["ждет", ["Где перевод?"]],
  ["подтвержд", ["Где перевод?"]],
  [".*", ["I forgot the memo", "Too little", "Где перевод?"]],
  ["refund", []],
])("questions with the words %j", (search, titles) => expect(found(search)).toEqual(titles));

it("leaves out a topic without any", () => {
  expect(searchQuestions(SECTIONS, "memo").map(({ id }) => id)).toEqual(["a"]);
});
