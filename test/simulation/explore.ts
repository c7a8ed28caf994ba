/** A possible step: its description for the trace, and the state that it leads to. */
export type Step<State> = { words: string; state: State }

/** A closed model whose every possible history is explored. */
export type Model<State, Violation extends string, Landmark extends string> = {
  initial: State
  /** Unique for each state: a text, or a number below 2^53, which takes less memory. */
  key: (state: State) => Key
  steps: (state: State) => Step<State>[]
  /** Conditions that must be false in every state. */
  violations: Record<Violation, Property<State>>
  /** Conditions that must be true in some state, otherwise the run proves nothing. */
  landmarks: Record<Landmark, Property<State>>
}

export type Property<State> = (state: State, steps: readonly Step<State>[]) => boolean

export type Finding = { states: number; shortestTrace: string[] }

type Exploration<Violation extends string, Landmark extends string> = {
  states: number
  findings: Map<Violation, Finding>
  /** The number of states in which each landmark was true. */
  reached: Record<Landmark, number>
}

type Key = number | string

/** The key of each visited state, and of the state from which it was first reached; `null` for the initial one. */
type Visited = Map<Key, Key | null>

/**
 * Visits every reachable state, breadth first, so the first trace to a violation is a shortest one.
 *
 * @param until visits no further states once all of these are found
 * @throws RangeError when the key of a state does not fit a number exactly
 * @throws Error when the model is not a function of its state, so that a trace cannot be replayed
 */
export function explore<State, Violation extends string, Landmark extends string>(
  model: Model<State, Violation, Landmark>,
  { until = [] }: { until?: readonly Violation[] } = {},
): Exploration<Violation, Landmark> {
  const visited: Visited = new Map([[model.key(model.initial), null]])
  const findings = new Map<Violation, Finding>()
  const reached = Object.fromEntries(namesOf(model.landmarks).map((name) => [name, 0])) as Record<Landmark, number>

  const isEnough = () => until.length > 0 && until.every((name) => findings.has(name))
  let frontier = [model.initial]
  while (frontier.length > 0 && !isEnough()) {
    frontier = frontier.flatMap((state) => {
      const steps = model.steps(state)
      for (const name of namesTrueOf(model.violations, state, steps)) {
        const finding = findings.get(name) ?? { states: 0, shortestTrace: traceTo(model, visited, state) }
        findings.set(name, { ...finding, states: finding.states + 1 })
      }
      for (const name of namesTrueOf(model.landmarks, state, steps)) reached[name]++
      return firstVisits(model.key, visited, state, steps)
    })
  }
  return { states: visited.size, findings, reached }
}

function namesOf<Name extends string>(properties: Record<Name, unknown>) {
  return Object.keys(properties) as Name[]
}

function namesTrueOf<State, Name extends string>(
  properties: Record<Name, Property<State>>,
  state: State,
  steps: readonly Step<State>[],
) {
  return namesOf(properties).filter((name) => properties[name](state, steps))
}

function firstVisits<State>(
  keyOf: (state: State) => Key,
  visited: Visited,
  from: State,
  steps: readonly Step<State>[],
) {
  const fromKey = keyOf(from)
  const first: State[] = []
  for (const { state } of steps) {
    const key = keyOf(state)
    if (typeof key === 'number' && !Number.isSafeInteger(key)) throw new RangeError(`State key ${key} is not exact.`)
    if (visited.has(key)) continue
    visited.set(key, fromKey)
    first.push(state)
  }
  return first
}

/** Follows the keys back to the start, then replays them forwards to get the description of each step. */
function traceTo<State, Violation extends string, Landmark extends string>(
  model: Model<State, Violation, Landmark>,
  visited: Visited,
  end: State,
) {
  const words: string[] = []
  let state = model.initial
  for (const key of pathTo(visited, model.key(end)).slice(1)) {
    const taken = model.steps(state).find((step) => model.key(step.state) === key)
    if (!taken) throw new Error('A trace cannot be replayed: the model is not a function of its state.')
    words.push(taken.words)
    state = taken.state
  }
  return words
}

function pathTo(visited: Visited, end: Key) {
  const path: Key[] = []
  for (let key: Key | null = end; key !== null; key = visited.get(key) ?? null) path.unshift(key)
  return path
}
