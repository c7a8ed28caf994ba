import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

const CALLS = ['preauth', 'auth', 'postauth', 'method', 'challenge'] as const
export type ScriptedCall = (typeof CALLS)[number]

const Deviation = Type.Object(
  {
    call: Type.Unsafe<ScriptedCall>({ type: 'string', enum: [...CALLS] }),
    /** 1 when absent. */
    times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    /** No response, or a reset connection. */
    fault: Type.Optional(Type.Unsafe<'silence' | 'reset'>({ type: 'string', enum: ['silence', 'reset'] })),
    /** Sent as it is, with `status`, instead of what the card makes. */
    body: Type.Optional(Type.String()),
    status: Type.Optional(Type.Integer({ minimum: 200, maximum: 599 })),
    /** Replaces members of the message that the card makes; `null` removes one. Not for the bank's pages. */
    merge: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false },
)
export type Deviation = Static<typeof Deviation>

const ThreeDsScriptBody = Type.Object(
  {
    /** The next calls that deviate from what their card does. */
    next: Type.Optional(Type.Array(Deviation, { maxItems: 1_000 })),
    /** Before each response of the 3-D Secure server, in real time. */
    latencyMs: Type.Optional(Type.Number({ minimum: 0, maximum: 60_000 })),
    /** Makes every lookup until now too old to be used. */
    expireLookups: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
)
export type ThreeDsScriptBody = Static<typeof ThreeDsScriptBody>

const schema = Compile(ThreeDsScriptBody)

/** @returns `null` when it is not one */
export const readScriptBody = (body: unknown): ThreeDsScriptBody | null => (schema.Check(body) ? body : null)

/** What a test has arranged. */
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

  /** Returns what is arranged for this call, once for each of its times. */
  take(call: ScriptedCall): Deviation | undefined {
    const index = this.#next.findIndex((arranged) => arranged.call === call)
    const arranged = this.#next[index]
    if (!arranged) return undefined
    arranged.times = (arranged.times ?? 1) - 1
    if (arranged.times === 0) this.#next.splice(index, 1)
    return arranged
  }
}
