import type { ReactNode } from 'react'
import type { TimelineEntry, TimelineOperation } from '../../../contract/dashboard/timeline.ts'
import { useAuditName } from '../../kit/audit-names/audit-names.ts'
import { useDeliveryError } from '../../kit/delivery-texts/delivery-texts.ts'
import { Card, CopyId, Fields } from '../../kit/detail.tsx'
import { codeText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { Icon } from '../../kit/icons.tsx'
import { AppLink } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { ResendLetter } from '../../kit/resend-letter.tsx'
import type { Tone } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { AuthenticationLine } from '../../kit/three-ds.tsx'
import { Instant } from '../../kit/time.tsx'
import { PAYMENT_TEXTS } from './texts/texts.ts'

interface TimelineProps {
  id: string
  currency: string
  /** Whether something has no outcome yet. */
  isOpen: boolean
}

const OPEN_EVERY_MS = 5_000

/** History of a payment, oldest first, with the gateway's data. */
export function Timeline({ id, currency, isOpen }: TimelineProps) {
  const t = useTexts(PAYMENT_TEXTS)
  const read = useRead('GET /payments/{id}/timeline', { params: { id }, ...(isOpen && { every: OPEN_EVERY_MS }) })
  const entries = read.data?.data ?? []
  const operations = entries.flatMap((entry) => (entry.type === 'operation' ? [entry] : []))
  return (
    <>
      <Card title={t.timeline}>
        <Refusal error={read.error} onRetry={() => void read.refetch()} />
        <ol className="timeline">
          {entries.map((entry) => (
            <Entry key={`${entry.type} ${keyOf(entry)}`} entry={entry} currency={currency} />
          ))}
        </ol>
        {read.data?.is_cut && <p className="dimmed">{t.timelineCut}</p>}
      </Card>
      <Card title={t.gateway}>
        <div className="stack">
          {operations.map((operation) => (
            <GatewayFacts key={operation.id} operation={operation} currency={currency} />
          ))}
        </div>
      </Card>
    </>
  )
}

const keyOf = (entry: TimelineEntry) =>
  entry.type === 'delivery' ? `${entry.event_id} ${entry.endpoint} ${entry.attempt}` : entry.id

const STATE_TONES: Record<TimelineOperation['state'], Tone> = {
  SENT: 'info',
  IN_DOUBT: 'warn',
  REVERSING: 'warn',
  APPROVED: 'good',
  DECLINED: 'bad',
  NOT_SENT: 'plain',
  NOT_CHARGED: 'plain',
  REVERSED: 'plain',
}

function toneOf(entry: TimelineEntry): Tone {
  if (entry.type === 'operation') return STATE_TONES[entry.state]
  if (entry.type === 'delivery')
    return (entry.response_status ?? 0) >= 200 && (entry.response_status ?? 0) < 300 ? 'good' : 'bad'
  if (entry.type === 'authentication') return 'good'
  return entry.type === 'letter' && entry.status === 'failed' ? 'bad' : 'plain'
}

function Entry({ entry, currency }: { entry: TimelineEntry; currency: string }) {
  return (
    <li data-tone={toneOf(entry)}>
      <Icon name={toneOf(entry)} size={16} />
      <div>
        <EntryText entry={entry} currency={currency} />
        <div className="dimmed">
          <Instant at={entry.at} seconds />
        </div>
      </div>
    </li>
  )
}

function EntryText({ entry, currency }: { entry: TimelineEntry; currency: string }) {
  const t = useTexts(PAYMENT_TEXTS)
  switch (entry.type) {
    case 'operation':
      return <OperationText operation={entry} currency={currency} />
    case 'authentication':
      return <AuthenticationLine result={entry.trans_status} isChallenged={entry.with_challenge} />
    case 'event':
      return <AppLink to={`events/${entry.id}`}>{fill(t.eventLine, { event: entry.event })}</AppLink>
    case 'delivery':
      return <DeliveryText delivery={entry} />
    case 'letter':
      return <LetterText letter={entry} />
    case 'audit':
      return <AuditText entry={entry} />
  }
}

function AuditText({ entry: { id, action, by } }: { entry: Extract<TimelineEntry, { type: 'audit' }> }) {
  const nameOf = useAuditName()
  return (
    <>
      <AuditLink id={id}>{nameOf(action)}</AuditLink>
      {by.name && ` · ${by.name}`}
    </>
  )
}

/** Link to the audit log, for people who may read everybody's entries. */
function AuditLink({ id, children }: { id: string | null; children: ReactNode }) {
  const may = useMay('audit.read')
  return id === null || !may ? children : <AppLink to={`audit/${id}`}>{children}</AppLink>
}

function DeliveryText({ delivery }: { delivery: Extract<TimelineEntry, { type: 'delivery' }> }) {
  const t = useTexts(PAYMENT_TEXTS)
  const { event, event_id: id, endpoint, url, response_status: code, error } = delivery
  const errorText = useDeliveryError()
  const status = code ?? (error === null ? t.noResponse : errorText(error))
  const parts = fill(t.deliveryLine, { status }).split(/(\{event\}|\{url\})/)
  return parts.map((part) => {
    if (part === '{event}')
      return (
        <AppLink key={part} to={`events/${id}`}>
          {event}
        </AppLink>
      )
    if (part === '{url}')
      return (
        <AppLink key={part} to={`webhooks/${endpoint}`}>
          {url}
        </AppLink>
      )
    return part
  })
}

function OperationText({ operation, currency }: { operation: TimelineOperation; currency: string }) {
  const t = useTexts(PAYMENT_TEXTS)
  const money = useMoney()
  const gateway = useGatewayTexts()
  const { kind, state, by, audit_entry: entry, reason, note, code } = operation
  const amount = money(operation.amount, currency.toUpperCase())
  const why = [reason && t[reason], note].filter(Boolean).join(' · ')
  return (
    <>
      <strong>{fill(t.operationLine, { kind: t[`op_${kind}`], amount, state: gateway[state] })}</strong>
      {code !== null && state === 'DECLINED' && <div>{codeText(code, gateway)}</div>}
      {(by || why) && (
        <div>
          {by?.name && <AuditLink id={entry}>{by.name}</AuditLink>}
          {by?.name && why && ' · '}
          {why}
        </div>
      )}
    </>
  )
}

type LetterEntry = Extract<TimelineEntry, { type: 'letter' }>

function LetterText({ letter }: { letter: LetterEntry }) {
  const t = useTexts(PAYMENT_TEXTS)
  return (
    <>
      {fill(t.letterLine, { recipient: letter.recipient, subject: letter.subject })}{' '}
      <ResendLetter letter={letter} shownBy="GET /payments/{id}/timeline" />
    </>
  )
}

/** References and times of one request to the gateway. */
function GatewayFacts({ operation, currency }: { operation: TimelineOperation; currency: string }) {
  const t = useTexts(PAYMENT_TEXTS)
  const gateway = useGatewayTexts()
  const money = useMoney()
  const { kind, amount, gateway_reference: reference, next_inquiry_at: next, finalized_at: ended } = operation
  const { issuer_reference: issuer, network_transaction_id: network } = operation
  return (
    <div>
      <h3>{`${t[`op_${kind}`]} · ${money(amount, currency.toUpperCase())}`}</h3>
      <Fields
        items={[
          [t.result, codeText(operation.code, gateway)],
          [t.gatewayText, operation.message],
          [t.merchantReference, <CopyId key="m" id={operation.merchant_reference} label={t.merchantReference} />],
          [t.gatewayReference, reference && <CopyId id={reference} label={t.gatewayReference} />],
          ...(issuer ? [[t.issuerReference, issuer] as [string, string]] : []),
          ...(network ? [[t.networkId, network] as [string, string]] : []),
          [t.sentAt, <Instant key="s" at={operation.at} seconds />],
          [t.endedAt, ended && <Instant at={ended} seconds />],
          ...(operation.inquiries > 0 ? [[t.inquiries, operation.inquiries] as [string, number]] : []),
          ...(next ? [[t.nextInquiry, <Instant key="n" at={next} seconds />] as [string, ReactNode]] : []),
        ]}
      />
    </div>
  )
}
