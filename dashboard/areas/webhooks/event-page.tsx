import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import type { DeliveryOfEvent, EventOfPage } from '../../../contract/dashboard/webhooks-api.ts'
import { plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { Card, CopyId, Fields, JsonView } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { usePathParam } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import { pageOfEvent } from '../../kit/object-page.ts'
import { Page } from '../../kit/page.tsx'
import { useInvalidate, useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { DeliveryCard } from './delivery-card.tsx'
import { ListenButton } from './listen-button.tsx'
import { useSpentHourText } from './spent-hour.ts'
import { WEBHOOK_TEXTS } from './texts/texts.ts'

/** Interval of reads while deliveries may be in progress. */
const READ_EVERY_MS = 5_000

export default function EventPage() {
  const t = useTexts(WEBHOOK_TEXTS)
  const id = usePathParam('id')
  const read = useRead('GET /events/{id}', { params: { id } })
  const deliveries = useRead('GET /events/{id}/deliveries', { params: { id }, every: READ_EVERY_MS, background: true })
  const [isAsked, setAsked] = useState(false)
  const event = read.data
  const redeliver = useMay('events.redeliver') && <Button onClick={() => setAsked(true)}>{t.redeliverOne}</Button>
  return (
    <Page
      title={event?.type ?? t.event}
      breadcrumbs={[{ label: t.eventsTitle, to: 'events' }]}
      actions={
        event && (
          <>
            {redeliver}
            <ListenButton />
          </>
        )
      }
    >
      {read.error && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {event && <Event event={event} />}
      {event && <Deliveries event={event} rows={deliveries.data?.data} error={deliveries.error} />}
      {event && <EventJson event={event} />}
      {event && isAsked && <RedeliverEvent event={event} onClose={() => setAsked(false)} />}
    </Page>
  )
}

function Event({ event }: { event: EventOfPage }) {
  const t = useTexts(WEBHOOK_TEXTS)
  const object = event.data.object as { id?: string }
  return (
    <Card title={t.event}>
      <Fields
        items={[
          [t.time, <Instant key="time" at={event.created} seconds />],
          [
            t.object,
            object.id ? <CopyId key="object" id={object.id} label={t.object} to={pageOfEvent(object)} /> : null,
          ],
          [t.sequence, event.sequence],
        ]}
      />
    </Card>
  )
}

interface DeliveriesProps {
  event: EventOfPage
  rows: DeliveryOfEvent[] | undefined
  error: unknown
}

function Deliveries({ event, rows, error }: DeliveriesProps) {
  const t = useTexts(WEBHOOK_TEXTS)
  return (
    <Card title={t.deliveriesOf}>
      {!rows && <Refusal error={error} />}
      {rows?.length === 0 && <p>{t.noDeliveriesOf}</p>}
      {rows?.map((delivery) => (
        <DeliveryCard key={delivery.webhook_endpoint} delivery={delivery} body={JSON.stringify(documentOf(event))} />
      ))}
    </Card>
  )
}

/** Returns what the merchant API returns, which is also the body of every delivery. */
function documentOf({ view: _view, ...document }: EventOfPage) {
  return document
}

function EventJson({ event }: { event: EventOfPage }) {
  return <JsonView path={`GET /api/v1/events/${event.id}`} document={documentOf(event)} />
}

const EVERY = 'all'

function RedeliverEvent({ event: { id, type }, onClose }: { event: EventOfPage; onClose(): void }) {
  const t = useTexts(WEBHOOK_TEXTS)
  const locale = useLocale()
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  const spentText = useSpentHourText()
  const endpoints = useRead('GET /webhook_endpoints')
  const [to, setTo] = useState(EVERY)
  const enabled = endpoints.data?.data.filter(({ status }) => status === 'enabled') ?? []
  async function redeliver() {
    const body = to === EVERY ? {} : { webhook_endpoint: to }
    const { deliveries } = await call('POST /events/{id}/redeliver', { params: { id }, body })
    toast(plural(t.redelivered, deliveries, locale))
    await invalidate('GET /events/{id}/deliveries', 'GET /events')
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.redeliverToTitle}
      verb={t.redeliverVerb}
      onConfirm={redeliver}
      refusalOf={(refusal) => <Refusal error={refusal} text={spentText(refusal)} />}
    >
      <p>{t.redeliverToText}</p>
      {type !== 'ping' && (
        <Select
          label={t.redeliverTo}
          allowDeselect={false}
          value={to}
          data={[
            { value: EVERY, label: t.allEndpoints },
            ...enabled.map((endpoint) => ({ value: endpoint.id, label: endpoint.url })),
          ]}
          onChange={(value) => setTo(value ?? EVERY)}
        />
      )}
    </ConfirmDialog>
  )
}
