import type { SessionDetail } from '../../../contract/dashboard/sessions-api.ts'
import { cardName } from '../../kit/card-name.ts'
import { Card, Fields, JsonView } from '../../kit/detail.tsx'
import { codeText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { AppLink, usePathParam } from '../../kit/links.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { useBusiness } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Authentications } from '../../kit/three-ds.tsx'
import { Day, Instant } from '../../kit/time.tsx'
import { CancelSession, PaymentLink } from './payment-link.tsx'
import { Amounts, Given } from './session-parts.tsx'
import { AttemptOutcome, SessionStatus } from './session-status.tsx'
import { SESSION_TEXTS } from './texts/texts.ts'

export default function SessionPage() {
  const t = useTexts(SESSION_TEXTS)
  const id = usePathParam('id')
  const read = useRead('GET /checkout_sessions/{id}', { params: { id } })
  const session = read.data
  const money = useMoney()
  const title = session ? fill(t.sessionOf, { amount: money(session.view.amount_total, session.currency) }) : t.title
  return (
    <Page
      title={title}
      badge={session && <SessionStatus status={session.session_status} chargesNothing={session.view.charges_nothing} />}
      breadcrumbs={[{ label: t.title, to: 'sessions' }]}
      actions={session && <CancelSession session={session} />}
    >
      {read.error && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {session && <Session session={session} />}
    </Page>
  )
}

function Session({ session }: { session: SessionDetail }) {
  const { id: businessId } = useBusiness()
  const { view, object: _object, transaction, ...shown } = session
  return (
    <>
      <PaymentLink session={session} />
      <div className="cards">
        <Details session={session} />
        <Amounts session={session} />
      </div>
      <Attempts attempts={view.attempts} currency={session.currency} />
      <Authentications tried={view.authentications} currency={session.currency} />
      <Given session={session} />
      <JsonView
        path={`GET /api/${businessId}/checkout/${session.id}/details`}
        document={{ checkout_session: shown, transaction }}
        events={session.id}
      />
    </>
  )
}

function Details({ session }: { session: SessionDetail }) {
  const t = useTexts(SESSION_TEXTS)
  const { view } = session
  const { customer } = view
  const name = customer && (customer.name ?? customer.email)
  return (
    <Card title={t.details}>
      <Fields
        items={[
          [
            t.customer,
            customer?.id ? (
              <AppLink key="customer" to={`customers/${customer.id}`}>
                {name}
              </AppLink>
            ) : (
              (name ?? t.nobody)
            ),
          ],
          [t.description, session.description],
          [t.reference, session.client_reference_id],
          [t.mode, t[session.mode]],
          [t.look, t[session.ui_mode]],
          [t.origin, view.is_payment_link || session.mode === 'setup' ? t.byPerson : t.byShop],
          [t.created, <Instant key="created" at={view.created} />],
          [t.expires, <Instant key="expires" at={view.expires_at} />],
          ...timesOf(t, view),
          [t.firstBill, view.first_bill_date && <Day of={view.first_bill_date} />],
          ...(view.payment ? [linkTo(t.thePayment, `payments/${view.payment}`, t.showPayment)] : []),
          ...(session.subscription_id
            ? [linkTo(t.theSubscription, `subscriptions/${session.subscription_id}`, t.showSubscription)]
            : []),
          [t.successUrl, session.success_url ?? t.staysHere],
          ...(session.cancel_url ? [[t.cancelUrl, session.cancel_url] as [string, string]] : []),
        ]}
      />
    </Card>
  )
}

type Texts = ReturnType<typeof useTexts<(typeof SESSION_TEXTS)['english']>>

const linkTo = (label: string, to: string, text: string): [string, React.ReactNode] => [
  label,
  <AppLink key={to} to={to}>
    {text}
  </AppLink>,
]

function timesOf(t: Texts, view: SessionDetail['view']) {
  const { completed_at: paid, canceled_at: cancelled, charges_nothing: nothing } = view
  const entries: [string, number | null][] = [
    [nothing ? t.cardVerified : t.paidAt, paid],
    [t.cancelledAt, cancelled],
  ]
  return entries.flatMap(([label, at]): [string, React.ReactNode][] =>
    at === null ? [] : [[label, <Instant key={label} at={at} />]],
  )
}

function Attempts({ attempts, currency }: { attempts: SessionDetail['view']['attempts']; currency: string }) {
  const t = useTexts(SESSION_TEXTS)
  const gateway = useGatewayTexts()
  const money = useMoney()
  return (
    <Card title={t.attempts}>
      {attempts.length === 0 ? (
        <p className="dimmed">{t.noAttempts}</p>
      ) : (
        <ListTable
          caption={t.attempts}
          rows={attempts}
          columns={[
            { id: 'time', header: t.time, cell: ({ created }) => <Instant at={created} seconds /> },
            { id: 'amount', header: t.amount, align: 'end', cell: ({ amount }) => money(amount, currency) },
            { id: 'card', header: t.card, cell: ({ brand, last4 }) => brand && last4 && cardName(brand, last4) },
            { id: 'result', header: t.result, cell: ({ outcome }) => <AttemptOutcome outcome={outcome} /> },
            { id: 'code', header: t.code, cell: ({ code, message }) => codeText(code, gateway) ?? message },
          ]}
        />
      )}
    </Card>
  )
}
