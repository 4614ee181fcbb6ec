/** Runs work one after the other for each network. */
export type SignInTurn = <Result>(network: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Two signatures at a time would choose the same nonce or the same coins, and one of them would be thrown away. One that
 * takes longer than `turnMs` holds up nobody: the handles that are rows keep two payments apart, whoever comes first.
 */
export function createSigningTurns(turnMs: number): SignInTurn {
  const last = new Map<string, Promise<unknown>>();
  return (network, work) => {
    const turn = (last.get(network) ?? Promise.resolve()).then(work);
    last.set(network, endOrTimeout(turn, turnMs));
    return turn;
  };
}

async function endOrTimeout(turn: Promise<unknown>, turnMs: number): Promise<void> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, turnMs);
  await Promise.race([Promise.allSettled([turn]), timeout.promise]);
  clearTimeout(timer);
}
