import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that run long without being big, by which Vitest would guess: started last, one of them would run alone at the end. */
const LONG = [/crash-at-every-point/, /crash-at-a-partner/, /crash-in-a-sweep/, /many-processes/, /kill-the-server/];

/** Begins with the longest files, so that two workers end together. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one.moduleId) - rank(other.moduleId));
  }
}

function rank(file: string): number {
  const place = LONG.findIndex((name) => name.test(file));
  return place === -1 ? LONG.length : place;
}
