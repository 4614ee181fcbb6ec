import { useEffect, useRef } from "react";
import type { PageQuestion } from "#contract/site/pages.ts";
import { Question } from "../../../shared/ui/index.ts";
import { ArticleBody } from "../article/article-body.tsx";
import "./question-list.css";

/** Questions that open to their answers; a link to one of them opens it. */
export function QuestionList({ questions }: { readonly questions: readonly PageQuestion[] }) {
  const list = useRef<HTMLDivElement>(null);
  useOpenLinked(list);
  if (questions.length === 0) return null;
  return (
    <div className="w-question-list" ref={list}>
      {questions.map(({ id, title, html }) => (
        <Question key={id} id={id} title={title}>
          <ArticleBody html={html} className="w-question-list__answer" />
        </Question>
      ))}
    </div>
  );
}

/** Browsers open a question for a link into its answer, but not for one to its head. */
function useOpenLinked(list: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const open = () => {
      const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      const question = linked?.closest("details");
      if (question && list.current?.contains(question) === true) question.open = true;
    };
    open();
    addEventListener("hashchange", open);
    return () => removeEventListener("hashchange", open);
  }, [list]);
}
