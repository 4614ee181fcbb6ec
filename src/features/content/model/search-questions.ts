import type { PageSection } from "#contract/site/pages.ts";

/**
 * The sections with those questions alone that have all words of the search, in the question or in its answer, each as the beginning of a word. All of
 * them where nothing is searched for.
 */
export function searchQuestions(sections: readonly PageSection[], search: string): PageSection[] {
  const words = wordsOf(search);
  if (words.length === 0) return [...sections];
  return sections
    .map((section) => ({
      ...section,
      questions: section.questions.filter(({ title, text }) => {
        const known = wordsOf(`${title} ${text}`);
        return words.every((word) => known.some((one) => one.startsWith(word)));
      }),
    }))
    .filter(({ questions }) => questions.length > 0);
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll("ё", "е")
    .match(/[\p{L}\p{N}]+/gu) ?? [];
