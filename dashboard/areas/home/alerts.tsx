import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { Alert, AlertKind } from '../../../contract/dashboard/home-api.ts'
import { fill, type PluralText, plural } from '../../../contract/text.ts'
import { Card } from '../../kit/detail.tsx'
import { lazyPart } from '../../kit/lazy-part.ts'
import { AppLink } from '../../kit/links.tsx'
import { useMay } from '../../kit/me.ts'
import type { MissedDecision } from '../../kit/missed-bills-dialog.tsx'
import { useMoney } from '../../kit/money.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { Status } from '../../kit/status.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { useDayText, useInstantText } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

const MissedBillsDialog = lazyPart(() => import('../../kit/missed-bills-dialog.tsx'))

interface AlertsProps {
  every: number
  /** Whether another part of the page already says that it cannot be read. */
  isQuiet: boolean
}

/** Alerts that need a person; renders nothing if there are none (DSH-25). */
export function Alerts({ every, isQuiet }: AlertsProps) {
  const t = useTexts(TEXTS)
  const read = useRead('GET /alerts', { every, background: true })
  const [decision, setDecision] = useState<MissedDecision | null>(null)
  const alerts = read.data?.data ?? []
  return (
    <>
      {!isQuiet && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {alerts.length > 0 && (
        <Card title={t.needsYou}>
          <ul className="alerts">
            {alerts.map((alert) => (
              <AlertLine key={`${alert.kind} ${alert.object?.id ?? alert.name}`} alert={alert} onDecide={setDecision} />
            ))}
          </ul>
        </Card>
      )}
      {decision && (
        <Suspense>
          <MissedBillsDialog decision={decision} onClose={() => setDecision(null)} />
        </Suspense>
      )}
    </>
  )
}

const URGENT: readonly AlertKind[] = [
  'card_testing',
  'key_in_page',
  'token_in_page',
  'operations_in_doubt',
  'settlement_unknown',
  'settlement_failed',
]

function AlertLine({ alert, onDecide }: { alert: Alert; onDecide(decision: MissedDecision): void }) {
  const t = useTexts(TEXTS)
  const title = useTitle(alert)
  const mayChange = { keys: useMay('keys.write'), clients: useMay('clients.write') }
  const to = linkOf(alert, mayChange)
  return (
    <li>
      <div className="alert-main">
        <Status tone={URGENT.includes(alert.kind) ? 'bad' : 'warn'}>
          <span className="alert-text">{title}</span>
        </Status>
        <AlertTime alert={alert} />
        {alert.seen && <SeenDetail kind={alert.kind} seen={alert.seen} />}
        {alert.missed && <MissedDetail missed={alert.missed} />}
      </div>
      <div className="page-actions">
        {alert.missed && <MissedActions alert={alert} onDecide={onDecide} />}
        {to !== null && (
          <AppLink to={to} aria-label={fill(t.openOf, { what: title })}>
            {t.open}
          </AppLink>
        )}
      </div>
    </li>
  )
}

function useTitle({ kind, count, name }: Alert): string {
  const t = useTexts(TEXTS)
  const locale = useLocale()
  const text: string | PluralText = t[`alert_${kind}`]
  return fill(typeof text === 'string' ? text : plural(text, count, locale), { name: name ?? '–' })
}

function AlertTime({ alert: { since, until } }: { alert: Alert }) {
  const t = useTexts(TEXTS)
  const text = useInstantText()
  if (until !== null) return <div className="dimmed">{fill(t.until, { at: text(until) })}</div>
  return since !== null && <div className="dimmed">{fill(t.since, { at: text(since) })}</div>
}

/** Where a page sent a credential, and what to do about it. */
function SeenDetail({ kind, seen: { at, origin } }: { kind: AlertKind; seen: NonNullable<Alert['seen']> }) {
  const t = useTexts(TEXTS)
  const text = useInstantText()
  const seen = origin === null ? fill(t.seen, { at: text(at) }) : fill(t.seenOn, { at: text(at), origin })
  return (
    <div className="dimmed alert-text">
      {seen} {kind === 'key_in_page' ? t.keyInPageText : t.tokenInPageText}
    </div>
  )
}

function MissedDetail({ missed }: { missed: NonNullable<Alert['missed']> }) {
  const t = useTexts(TEXTS)
  const locale = useLocale()
  const money = useMoney()
  const day = useDayText('medium')
  const { bills, from, amount, currency } = missed
  const values = { day: day(from), amount: money(amount, currency) }
  return <div className="dimmed">{fill(plural(t.missedDetail, bills, locale), values)}</div>
}

function MissedActions({ alert, onDecide }: { alert: Alert; onDecide(decision: MissedDecision): void }) {
  const t = useTexts(TEXTS)
  const mayDecide = useMay('subscriptions.write')
  const { object, missed, name } = alert
  if (!mayDecide || !object || !missed) return null
  const decide = (choice: MissedDecision['choice']) =>
    onDecide({ choice, subscriptionId: object.id, about: name ?? '–' })
  return (
    <>
      <Button variant="default" size="sm" onClick={() => decide('bill')}>
        {t.billThem}
      </Button>
      <Button variant="default" size="sm" onClick={() => decide('skip')}>
        {t.skipThem}
      </Button>
    </>
  )
}

/** Returns the page where this person can act on the alert; `null` if only somebody else can. */
function linkOf({ kind, object }: Alert, mayChange: { keys: boolean; clients: boolean }): string | null {
  switch (kind) {
    case 'card_testing':
      return 'payments?status=failed'
    case 'key_in_page':
      return mayChange.keys ? 'keys' : null
    case 'token_in_page':
      return mayChange.clients ? 'clients' : null
    case 'operations_in_doubt':
      return 'in-doubt'
    case 'settlement_unknown':
    case 'settlement_failed':
    case 'findings':
      return 'batches'
    case 'missed_bills':
      return `subscriptions/${object?.id}`
    case 'contract_unsigned':
      // A draft blocks too, but the list of sent contracts does not show it.
      return object ? `contracts/${object.id}` : 'contracts'
    case 'endpoint_disabled':
    case 'endpoint_failing':
      return `webhooks/${object?.id}`
    case 'cards_expiring':
      return 'subscriptions?status=ACTIVE&card_expiring=this_month'
    case 'owner_without_second_factor':
      return 'team'
    case 'job_failed':
      return null
  }
}
