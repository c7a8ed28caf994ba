import Type, { type Static } from 'typebox'
import { EVENT_TYPES } from './event-types.ts'
import { EpochSeconds, OneOf, Uuid } from './formats.ts'
import { Refund } from './refund.ts'

export { EVENT_TYPES, type EventType } from './event-types.ts'

/** A change as a webhook reports it (EVT-2). */
export const EventEnvelope = Type.Object(
  {
    id: Uuid(),
    object: Type.Literal('event'),
    type: OneOf(EVENT_TYPES),
    api_version: Type.Literal('v1.0'),
    created: EpochSeconds(),
    livemode: Type.Boolean({ description: '`false` in staging.' }),
    business_id: Uuid(),
    sequence: Type.Integer({ minimum: 1, description: 'Counts the events of one object from 1.' }),
    data: Type.Object({
      object: Type.Record(Type.String(), Type.Unknown(), {
        description: 'The object as the API shows it after the change.',
      }),
      previous_attributes: Type.Optional(
        Type.Record(Type.String(), Type.Unknown(), {
          description: 'For an update: the changed members with their previous values.',
        }),
      ),
      refund: Type.Optional(Refund),
    }),
  },
  { title: 'Event' },
)
export type EventEnvelope = Static<typeof EventEnvelope>
