import { type Key, Visited } from './visited.ts'

/** A possible step: its description for the trace, and the state that it leads to. */
export type Step<State> = { words: string; state: State }

/** A closed model; all of its possible histories are explored. */
export type Model<State, Violation extends string, Landmark extends string> = {
  initial: State
  /** Returns a key that is equal for the same state, and for states whose futures differ only in names. */
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

/** A visited state, with its place in the order of visits. */
type Visit<State> = { state: State; place: number }

/**
 * Visits every reachable state, breadth first, so that the first trace to a violation is a shortest one.
 *
 * @param until visits no further states once all of these are found
 * @param stepsMax visits the states of all histories that have no more steps
 * @throws RangeError if the key of a state does not fit a number exactly
 * @throws Error if the model is not a function of its state, so that a trace cannot be replayed
 */
export function explore<State, Violation extends string, Landmark extends string>(
  model: Model<State, Violation, Landmark>,
  { until = [], stepsMax = Number.POSITIVE_INFINITY }: { until?: readonly Violation[]; stepsMax?: number } = {},
): Exploration<Violation, Landmark> {
  const visited = new Visited()
  const findings = new Map<Violation, Finding>()
  const reached = Object.fromEntries(namesOf(model.landmarks).map((name) => [name, 0])) as Record<Landmark, number>
  const visit = (state: State, from: number): Visit<State>[] => {
    const place = visited.add(model.key(state), from)
    return place === null ? [] : [{ state, place }]
  }

  const isEnough = () => until.length > 0 && until.every((name) => findings.has(name))
  let frontier = visit(model.initial, -1)
  for (let taken = 0; frontier.length > 0 && !isEnough(); taken++) {
    const next: Visit<State>[] = []
    for (const { state, place } of frontier) {
      const steps = model.steps(state)
      for (const name of namesTrueOf(model.violations, state, steps)) {
        const finding = findings.get(name) ?? { states: 0, shortestTrace: traceTo(model, visited.pathTo(place)) }
        findings.set(name, { ...finding, states: finding.states + 1 })
      }
      for (const name of namesTrueOf(model.landmarks, state, steps)) reached[name]++
      if (isEnough()) break
      if (taken < stepsMax) for (const step of steps) next.push(...visit(step.state, place))
    }
    frontier = next
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

/** Replays the keys from the start to get the description of each step. */
function traceTo<State, Violation extends string, Landmark extends string>(
  model: Model<State, Violation, Landmark>,
  path: readonly Key[],
) {
  const words: string[] = []
  let state = model.initial
  for (const key of path.slice(1)) {
    const taken = model.steps(state).find((step) => model.key(step.state) === key)
    if (!taken) throw new Error('A trace cannot be replayed: the model is not a function of its state.')
    words.push(taken.words)
    state = taken.state
  }
  return words
}
