import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

const CALLS = ['preauth', 'auth', 'postauth', 'method', 'challenge'] as const
export type ScriptedCall = (typeof CALLS)[number]

const Deviation = Type.Object(
  {
    call: Type.Unsafe<ScriptedCall>({ type: 'string', enum: [...CALLS] }),
    /** Number of calls; 1 by default. */
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    /** No response, or a reset connection. */
    fault: Type.Optional(Type.Unsafe<'silence' | 'reset'>({ type: 'string', enum: ['silence', 'reset'] })),
    /** Body to send as is, with `status`, in place of the card's message. */
    body: Type.Optional(Type.String()),
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    /** Members to replace in the card's message; `null` removes one. Not for the bank's pages. */
    merge: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
)
export type Deviation = Static<typeof Deviation>

const ThreeDsScriptBody = Type.Object(
  {
    /** Deviations of the next calls from the card's behavior. */
    next: Type.Optional(Type.Array(Deviation, { maxItems: 1_000 })),
    /** Delay before each response of the 3-D Secure server, in real time. */
    latencyMs: Type.Optional(Type.Number({ minimum: 0, maximum: 60_000 })),
    /** Makes all lookups so far too old to be used. */
    expireLookups: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type ThreeDsScriptBody = Static<typeof ThreeDsScriptBody>

const schema = Compile(ThreeDsScriptBody)

/** @returns `null` if the body is not valid */
export const readScriptBody = (body: unknown): ThreeDsScriptBody | null => (schema.Check(body) ? body : null)

/** Deviations that a test has arranged. */
export class ThreeDsScript {
  #next: Deviation[] = []
  latencyMs = 0

  apply({ next = [], latencyMs }: ThreeDsScriptBody): void {
    for (const deviation of next) this.#next.push({ ...deviation })
    if (latencyMs !== undefined) this.latencyMs = latencyMs
  }

  reset(): void {
    this.#next = []
    this.latencyMs = 0
  }

  /** Returns the deviation arranged for this call, as often as it was arranged. */
  take(call: ScriptedCall): Deviation | undefined {
    const index = this.#next.findIndex((arranged) => arranged.call === call)
    const arranged = this.#next[index]
    if (!arranged) return undefined
    arranged.times = (arranged.times ?? 1) - 1
    if (arranged.times === 0) this.#next.splice(index, 1)
    return arranged
  }
}
