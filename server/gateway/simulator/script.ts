import type { Clock } from '../../lib/clock.ts'
import { seededRandom } from '../../lib/seeded-random.ts'
import { BEHAVIOURS, type Behaviour, type BehaviourName } from './behaviours.ts'
import type { ScriptBody, ScriptedOp, ScriptedOutcome } from './wire.ts'

type DownMode = NonNullable<ScriptBody['down']>['mode']

export interface ScriptedCall {
  op: ScriptedOp
  terminal: string
  merchantRef: string
}

/** Outcomes, faults and clock offset that a test has set. They are only in memory. */
export class Script {
  readonly #clock: Clock
  #clockOffsetMs = 0
  #queue: ScriptedOutcome[] = []
  #latency = { minMs: 0, maxMs: 0 }
  #down: { mode: DownMode; until: number } | null = null
  #faults: [BehaviourName, rate: number][] = []
  #random = seededRandom(1)
  unknownStoredCards: 'decline' | 'warn' = 'decline'

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Returns the simulator's time in epoch milliseconds. */
  now(): number {
    return this.#clock.now().getTime() + this.#clockOffsetMs
  }

  /** Advances the clock, only forwards. After a restart, it catches up with the time of the last ledger row. */
  advanceClock(byMs: number): void {
    this.#clockOffsetMs += Math.max(0, byMs)
  }

  apply(body: ScriptBody): void {
    for (const outcome of body.outcomes ?? []) this.#queue.push({ ...outcome })
    if (body.latency) this.#latency = body.latency
    if (body.down) this.#down = { mode: body.down.mode, until: this.#clock.monotonicMs() + body.down.forMs }
    if (body.faults) {
      this.#faults = Object.entries(body.faults.rates) as [BehaviourName, number][]
      this.#random = seededRandom(body.faults.seed)
    }
    if (body.advanceClockMs) this.advanceClock(body.advanceClockMs)
    if (body.unknownStoredCards) this.unknownStoredCards = body.unknownStoredCards
  }

  /** Clears everything except the clock offset, which never decreases. */
  reset(): void {
    this.#queue = []
    this.#latency = { minMs: 0, maxMs: 0 }
    this.#down = null
    this.#faults = []
    this.unknownStoredCards = 'decline'
  }

  /** Returns the outcome scripted for this call and removes it from the queue. */
  take({ op, terminal, merchantRef }: ScriptedCall): ScriptedOutcome | undefined {
    if (this.#queue.length === 0) return undefined
    const index = this.#queue.findIndex(
      (arranged) =>
        arranged.op === op &&
        (arranged.terminal ?? terminal) === terminal &&
        (arranged.merchantRef ?? merchantRef) === merchantRef,
    )
    const arranged = this.#queue[index]
    if (!arranged) return undefined
    arranged.times = (arranged.times ?? 1) - 1
    if (arranged.times === 0) this.#queue.splice(index, 1)
    return arranged
  }

  /** Returns the behaviour for a transaction: from the queue, or else from the fault rates. */
  behaviour(call: ScriptedCall): Behaviour | undefined {
    const arranged = this.take(call)
    if (arranged) return behaviourOf(arranged)
    const fault = this.#drawFault()
    return fault && BEHAVIOURS[fault]
  }

  latencyMs(): number {
    const { minMs, maxMs } = this.#latency
    return maxMs === 0 ? 0 : minMs + this.#random() * (maxMs - minMs)
  }

  down(): DownMode | null {
    if (this.#down && this.#clock.monotonicMs() >= this.#down.until) this.#down = null
    return this.#down?.mode ?? null
  }

  #drawFault(): BehaviourName | undefined {
    if (this.#faults.length === 0) return undefined
    let drawn = this.#random()
    for (const [name, rate] of this.#faults) {
      drawn -= rate
      if (drawn < 0) return name
    }
    return undefined
  }
}

function behaviourOf({ outcome, raw }: ScriptedOutcome): Behaviour {
  const { verdict } = BEHAVIOURS.approved
  if (raw) return { verdict, records: raw.recorded ? 'once' : 'nothing', delivery: raw }
  return outcome && outcome in BEHAVIOURS ? BEHAVIOURS[outcome as BehaviourName] : BEHAVIOURS.approved
}
