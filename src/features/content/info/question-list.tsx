import type { PageQuestion } from "#contract/pages.ts";
import { Icon } from "../../../shared/ui/index.ts";
import { ArticleBody } from "../article/article-body.tsx";
import "./question-list.css";

/** Questions that open to their answers; a link to one of them opens it, as browsers do. */
export const QuestionList = ({ questions }: { readonly questions: readonly PageQuestion[] }) =>
  questions.length === 0 ? null : (
    <div className="w-question-list">
      {questions.map(({ id, title, html }) => (
        <details key={id}>
          <summary>
            <h3 id={id}>{title}</h3>
            <Icon name="plus" />
            <Icon name="minus" />
          </summary>
          <ArticleBody html={html} className="w-question-list__answer" />
        </details>
      ))}
    </div>
  );
