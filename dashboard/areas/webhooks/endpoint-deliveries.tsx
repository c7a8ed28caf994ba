import type { DeliveryRow, EndpointOfPage } from '../../../contract/dashboard/webhooks-api.ts'
import { EVENT_TYPES } from '../../../contract/event-types.ts'
import { useDeliveryError } from '../../kit/delivery-texts/delivery-texts.ts'
import { Card } from '../../kit/detail.tsx'
import { Empty } from '../../kit/empty.tsx'
import { type BulkActions, type Column, type FilterOf, List } from '../../kit/list.tsx'
import { useMay } from '../../kit/me.ts'
import { useBoxNames } from '../../kit/selection-bar.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant, useInstantText } from '../../kit/time.tsx'
import { RedeliverChosen } from './redeliver-chosen.tsx'
import { WEBHOOK_TEXTS } from './texts/texts.ts'
import { DeliveryStatus } from './webhook-status.tsx'

const STATUSES = ['pending', 'succeeded', 'failed', 'canceled'] as const
/** Interval of reads while deliveries may be in progress. */
const READ_EVERY_MS = 5_000

/** Deliveries to an endpoint; a row links to the event with its attempts. */
export function EndpointDeliveries({ endpoint }: { endpoint: EndpointOfPage }) {
  const { id } = endpoint
  const t = useTexts(WEBHOOK_TEXTS)
  const bulk = useRedelivery(endpoint)
  const filters: FilterOf<'GET /webhook_endpoints/{id}/deliveries'>[] = [
    { id: 'status', label: t.status, kind: 'select', options: STATUSES.map((value) => ({ value, label: t[value] })) },
    { id: 'type', label: t.type, kind: 'select', options: EVENT_TYPES.map((value) => ({ value, label: value })) },
    { id: 'days', label: t.days, kind: 'days', members: ['from', 'to'] },
  ]
  return (
    <Card title={t.deliveries}>
      <List<DeliveryRow>
        name="GET /webhook_endpoints/{id}/deliveries"
        params={{ id }}
        caption={t.deliveriesTable}
        views="webhook_deliveries"
        exportName="POST /webhook_endpoints/{id}/deliveries/export"
        exportPermission="webhooks.read"
        columns={useColumns()}
        filters={filters}
        rowTo={({ event }) => `events/${event}`}
        every={READ_EVERY_MS}
        bulk={bulk}
        empty={<Empty kind="nothing" title={t.noDeliveries} text={t.noDeliveriesText} />}
      />
    </Card>
  )
}

/**
 * Returns the actions on chosen rows; `undefined` if this person cannot redeliver, or the endpoint is disabled.
 */
function useRedelivery({ id, status }: EndpointOfPage): BulkActions<DeliveryRow> | undefined {
  const text = useInstantText()
  const nameOf = ({ type, created }: DeliveryRow) => `${type}, ${text(created)}`
  const boxes = useBoxNames(nameOf)
  const mayRedeliver = useMay('events.redeliver')
  if (!mayRedeliver || status !== 'enabled') return undefined
  return {
    boxes,
    bar: (rows, deselect) => <RedeliverChosen endpointId={id} {...{ rows, nameOf, deselect }} />,
  }
}

function useColumns(): Column<DeliveryRow>[] {
  const t = useTexts(WEBHOOK_TEXTS)
  const errorText = useDeliveryError()
  return [
    { id: 'type', header: t.event, cell: ({ type }) => type },
    { id: 'created', header: t.time, cell: ({ created }) => <Instant at={created} seconds /> },
    { id: 'status', header: t.status, cell: ({ status }) => <DeliveryStatus status={status} /> },
    {
      id: 'response',
      header: t.response,
      cell: ({ response_status: code, error }) => code ?? (error === null ? '–' : errorText(error)),
    },
    {
      id: 'duration',
      header: t.duration,
      align: 'end',
      cell: ({ duration_ms: ms }) => (ms === null ? '–' : fill(t.ms, { ms })),
    },
    { id: 'attempts', header: t.attempts, align: 'end', cell: ({ attempt_count: count }) => count },
    {
      id: 'next',
      header: t.next,
      cell: ({ next_attempt_at: at }) => (at === null ? '–' : <Instant at={at} seconds />),
    },
  ]
}
