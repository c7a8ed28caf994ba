import type { EventOfPage } from '../../../contract/dashboard/webhooks-api.ts'
import { EVENT_TYPES } from '../../../contract/event-types.ts'
import { Empty } from '../../kit/empty.tsx'
import { AppLink } from '../../kit/links.tsx'
import { type Column, type FilterOf, List } from '../../kit/list.tsx'
import { pageOfEvent } from '../../kit/object-page.ts'
import { Page } from '../../kit/page.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { ListenButton } from './listen-button.tsx'
import { WEBHOOK_TEXTS } from './texts/texts.ts'

export default function EventsPage() {
  const t = useTexts(WEBHOOK_TEXTS)
  const filters: FilterOf<'GET /events'>[] = [
    { id: 'type', label: t.type, kind: 'select', options: EVENT_TYPES.map((value) => ({ value, label: value })) },
    { id: 'object', label: t.object, kind: 'text' },
    { id: 'days', label: t.days, kind: 'days', members: ['from', 'to'] },
  ]
  return (
    <Page title={t.eventsTitle} actions={<ListenButton />}>
      <p>{t.eventsText}</p>
      <List<EventOfPage>
        name="GET /events"
        caption={t.eventsTitle}
        views="events"
        exportName="POST /events/export"
        exportPermission="events.read"
        columns={useColumns()}
        filters={filters}
        rowTo={({ id }) => `events/${id}`}
        empty={<Empty kind="nothing" title={t.noEvents} text={t.noEventsText} guide="tag/events" />}
      />
    </Page>
  )
}

function useColumns(): Column<EventOfPage>[] {
  const t = useTexts(WEBHOOK_TEXTS)
  const deliveries = useDeliveriesText()
  return [
    { id: 'type', header: t.type, cell: ({ type }) => type },
    { id: 'created', header: t.time, cell: ({ created }) => <Instant at={created} seconds /> },
    { id: 'object', header: t.object, cell: ({ data }) => <ObjectLink object={data.object} /> },
    { id: 'deliveries', header: t.deliveries, cell: ({ view }) => deliveries(view.deliveries) },
    { id: 'sequence', header: t.sequence, align: 'end', hidden: true, cell: ({ sequence }) => sequence },
    { id: 'id', header: t.eventId, hidden: true, cell: ({ id }) => <code>{id}</code> },
  ]
}

/** Returns a function for texts such as `2 delivered, 1 failed`. */
function useDeliveriesText(): (counts: EventOfPage['view']['deliveries']) => string {
  const t = useTexts(WEBHOOK_TEXTS)
  return ({ succeeded, failed, pending, canceled }) => {
    const parts = [
      [t.countDelivered, succeeded],
      [t.countFailed, failed],
      [t.countWaiting, pending],
      [t.countCanceled, canceled],
    ] as const
    const shown = parts.filter(([, count]) => count > 0).map(([text, count]) => fill(text, { count }))
    return shown.length === 0 ? t.nowhere : shown.join(', ')
  }
}

function ObjectLink({ object }: { object: EventOfPage['data']['object'] }) {
  const id = <code>{String(object.id ?? '–')}</code>
  const page = pageOfEvent(object)
  return page === null ? id : <AppLink to={page}>{id}</AppLink>
}
