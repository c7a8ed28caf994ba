import Type, { type Static } from 'typebox'
import { EpochSeconds } from './formats.ts'

/** A business's clock in staging (OPS-20). */
export const TestClock = Type.Object(
  {
    object: Type.Literal('test_clock'),
    now: EpochSeconds({ description: "The business's time, in seconds since 1970." }),
    offset_seconds: Type.Integer({ description: 'How far it is ahead of real time.' }),
  },
  { title: 'TestClock' },
)
export type TestClock = Static<typeof TestClock>

/** Body of an advance; exactly one of the fields is set. */
export const TestClockAdvance = Type.Object(
  {
    to: Type.Optional(EpochSeconds({ description: 'The time to advance to, in seconds since 1970.' })),
    seconds: Type.Optional(Type.Integer({ minimum: 0 })),
    days: Type.Optional(Type.Integer({ minimum: 0, description: 'Days of 24 hours.' })),
  },
  { title: 'TestClockAdvance' },
)
export type TestClockAdvance = Static<typeof TestClockAdvance>

const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const TestClockAdvanced = Type.Object(
  {
    ...TestClock.properties,
    target: EpochSeconds({ description: 'The time that was asked for.' }),
    done: Type.Boolean({
      description:
        'Whether `now` has reached `target`. An advance stops after 90 seconds of real time, because connections do not ' +
        'stay open longer: send `to` with the value of `target` to go on.',
    }),
    ran: Type.Object({
      bills: Count('Bills that were charged, each attempt counted.'),
      approved: Count('Number of approved attempts.'),
      declined: Count('Number of declined attempts.'),
      in_doubt: Count(
        'Charges whose outcome is not known yet: the clock went on without them, and recovery resolves them.',
      ),
      expired_sessions: Count('Checkout sessions that expired.'),
    }),
  },
  { title: 'TestClockAdvanced' },
)
export type TestClockAdvanced = Static<typeof TestClockAdvanced>
