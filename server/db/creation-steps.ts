/** What sees how the database takes part in a creation; waits for nodes and partners are no part of it. */
export type CreationSteps = {
  /** A statement on the way: only its failing or hanging says something. */
  step<Result>(work: () => Promise<Result>): Promise<Result>;
  /** What stores the order: its success shows that creations get through. */
  last<Result>(work: () => Promise<Result>): Promise<Result>;
};

export const UNWATCHED: CreationSteps = { step: (work) => work(), last: (work) => work() };
