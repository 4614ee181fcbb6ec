type Agreement<Node, Answer> = {
  ask(node: Node): Promise<Answer>;
  /** Answers with the same text are the same. */
  textOf(answer: Answer): string;
  isEnough(agreeing: number, answering: number): boolean;
  /** Names what the nodes differ in. */
  about: string;
};

/**
 * The answer that enough nodes give: what is credited by it must not be the word of one of them. It is there as soon as enough of all
 * agree; those that fail don't count once all have answered or failed. Throws while too few agree.
 */
export async function agreedAnswer<Node, Answer>(
  nodes: readonly Node[],
  { ask, textOf, isEnough, about }: Agreement<Node, Answer>,
): Promise<Answer> {
  const votes: { text: string; answer: Answer }[] = [];
  const agreeing = (text: string): number => votes.filter((vote) => vote.text === text).length;
  const early = Promise.withResolvers<Answer>();
  const vote = async (node: Node): Promise<void> => {
    const answer = await ask(node);
    const text = textOf(answer);
    votes.push({ text, answer });
    if (isEnough(agreeing(text), nodes.length)) early.resolve(answer);
  };
  const late = async (): Promise<Answer> => {
    const results = await Promise.allSettled(nodes.map(vote));
    const found = votes.find(({ text }) => isEnough(agreeing(text), votes.length));
    if (found !== undefined) return found.answer;
    const failed = results.find((result) => result.status === "rejected");
    if (votes.length === 0 && failed !== undefined) throw failed.reason;
    throw new Error(`too few nodes agree on ${about}`);
  };
  return Promise.race([early.promise, late()]);
}
