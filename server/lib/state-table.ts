/** One allowed transition: `[from, trigger, to]`. */
export type Move<State, Trigger> = readonly [from: State, trigger: Trigger, to: State]

/**
 * Makes the only function that may change a state.
 *
 * @returns the next state, or `null` if the table has no such row; the caller chooses the refusal
 */
export function stateTable<State extends string, Trigger extends string>(moves: readonly Move<State, Trigger>[]) {
  const next = new Map(moves.map(([from, trigger, to]) => [`${from} ${trigger}`, to]))
  return (from: State, trigger: Trigger): State | null => next.get(`${from} ${trigger}`) ?? null
}
