import Type from 'typebox'
import { EVENT_TYPES, EventEnvelope } from './event.ts'
import { OneOf, Uuid } from './formats.ts'
import { ListOf, PAGE } from './list.ts'

export const EventListQuery = Type.Object({
  ...PAGE,
  type: Type.Optional(
    Type.Unsafe<(typeof EVENT_TYPES)[number]>({ ...OneOf(EVENT_TYPES), description: 'Only this type.' }),
  ),
  object: Type.Optional(
    Type.Unsafe<string>({ ...Uuid(), description: 'Only events of the object with this id: `data.object.id`.' }),
  ),
})

export const EventList = ListOf(EventEnvelope, 'EventList')
