import { EventListQuery } from '../../contract/event-list.ts'
import { listObject, type MerchantApi } from '../access/keys/merchant-api.ts'
import { type Route, route } from '../http/route.ts'
import { type EventReader, eventObject, type RecordedEvent } from './event-object.ts'
import { EVENT_DOCUMENTS as documents } from './event-openapi.ts'
import { keptSince, noSuchEvent } from './kept-events.ts'
import { findEvent, listEvents } from './recorded-event-queries.ts'

interface EventServices extends EventReader {
  /** Retention of events, in days. */
  eventDays: number
}

/** Routes of events; see docs/specification/events-and-webhooks.md. */
export function eventRoutes({ db, clock, shared }: MerchantApi, services: EventServices): Route[] {
  const { eventDays } = services
  const show = (event: RecordedEvent) => eventObject(event, services)
  return [
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/events',
      scope: 'events:read',
      query: EventListQuery,
      document: documents.list,
      async handle({ caller, query }) {
        const since = keptSince(clock, eventDays)
        const which = { businessId: caller.business.id, since, type: query.type, objectId: query.object }
        return { body: listObject(await listEvents(db, which, query), show) }
      },
    }),
    route({
      ...shared,
      method: 'GET',
      path: '/api/v1/events/{id}',
      scope: 'events:read',
      document: documents.retrieve,
      async handle({ caller, params: { id = '' } }) {
        const since = keptSince(clock, eventDays)
        const event = await findEvent(db, { businessId: caller.business.id, id, since })
        if (!event) throw noSuchEvent()
        return { body: show(event) }
      },
    }),
  ]
}
