import { useState } from 'react'
import type { OpenOperation } from '../../../contract/dashboard/payments-api.ts'
import { plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { useToast } from '../../kit/dialog.tsx'
import { Empty } from '../../kit/empty.tsx'
import { useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { AppLink } from '../../kit/links.tsx'
import { type Column, List } from '../../kit/list.tsx'
import { useMay } from '../../kit/me.ts'
import { useMoney } from '../../kit/money.tsx'
import { Page } from '../../kit/page.tsx'
import { useRefusalText } from '../../kit/refusal.tsx'
import { SendButton } from '../../kit/send-button.tsx'
import { Status } from '../../kit/status.tsx'
import { fill, useLocale, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { customerOf, type Texts } from './payment-words.tsx'
import { PAYMENT_TEXTS } from './texts/texts.ts'
import { useChanged } from './use-changed.ts'

const EVERY_MS = 15_000

/** Operations without an outcome. No person can set an outcome (DSH-6). */
export default function OpenOperationsPage() {
  const t = useTexts(PAYMENT_TEXTS)
  return (
    <Page title={t.openTitle}>
      <p>{t.openText}</p>
      <List<OpenOperation>
        name="GET /operations"
        caption={t.openTitle}
        views="operations"
        exportName="POST /operations/export"
        exportPermission="export.payments"
        columns={useColumns(t)}
        query={{ open: true }}
        every={EVERY_MS}
        empty={<Empty kind="nothing" title={t.openNothing} text={t.openNothingText} />}
      />
    </Page>
  )
}

function useColumns(t: Texts): Column<OpenOperation>[] {
  const gateway = useGatewayTexts()
  const money = useMoney()
  return [
    {
      id: 'sent',
      header: t.sentAt,
      cell: ({ payment, sent_at: at }) => (
        <AppLink to={`payments/${payment}`}>
          <Instant at={at} />
        </AppLink>
      ),
    },
    {
      id: 'kind',
      header: t.operation,
      cell: (row) => (
        <>
          {t[`op_${row.kind}`]}
          <Blocked operation={row} />
        </>
      ),
    },
    {
      id: 'amount',
      header: t.amount,
      align: 'end',
      cell: ({ amount, currency }) => money(amount, currency.toUpperCase()),
    },
    {
      id: 'state',
      header: t.status,
      cell: (row) => (
        <div className="stack-tight">
          <Status tone="warn">
            {row.needs_attention ? t.needsPerson : row.state === 'SENT' ? gateway.SENT : t.pending}
          </Status>
          <InquireNow operation={row} />
        </div>
      ),
    },
    { id: 'customer', header: t.customer, cell: (row) => customerOf(row) ?? '–', optional: 1 },
    { id: 'last', header: t.lastInquiry, cell: (row) => <LastInquiry operation={row} /> },
    {
      id: 'next',
      header: t.nextInquiry,
      cell: ({ next_inquiry_at: at }) => (at === null ? '–' : <Instant at={at} />),
    },
  ]
}

/** Time of the last inquiry, with the number of inquiries, because the first ones are only seconds apart. */
function LastInquiry({ operation: { inquiries, last_inquiry_at: at } }: { operation: OpenOperation }) {
  const t = useTexts(PAYMENT_TEXTS)
  const locale = useLocale()
  return (
    <>
      {at === null ? '–' : <Instant at={at} />}
      {inquiries > 0 && <div className="dimmed">{plural(t.inquiriesOf, inquiries, locale)}</div>}
    </>
  )
}

function Blocked({ operation: { blocks } }: { operation: OpenOperation }) {
  const t = useTexts(PAYMENT_TEXTS)
  const { session, subscription } = blocks
  if (!session && !subscription && !blocks.payment_method) return null
  return (
    <div className="dimmed">
      {t.blocks}{' '}
      {session ? (
        <AppLink to={`sessions/${session}`}>{t.blocksSession}</AppLink>
      ) : subscription ? (
        <AppLink to={`subscriptions/${subscription}`}>{t.blocksSubscription}</AppLink>
      ) : (
        t.blocksCard
      )}
    </div>
  )
}

function InquireNow({ operation: { id, amount, currency } }: { operation: OpenOperation }) {
  const t = useTexts(PAYMENT_TEXTS)
  const may = useMay('payments.inquire')
  const [call, changed, toast, money] = [useCall(), useChanged(), useToast(), useMoney()]
  const refusalText = useRefusalText()
  const [isBusy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<unknown>(null)
  if (!may) return null
  async function inquire() {
    setBusy(true)
    try {
      const { is_open: isOpen } = await call('POST /operations/{id}/inquire', { params: { id } })
      toast(isOpen ? t.stillOpen : t.resolved)
    } catch (error) {
      setRefusal(error)
      toast(refusalText(error))
    } finally {
      setBusy(false)
      await changed()
    }
  }
  const label = fill(t.inquireNowOf, { amount: money(amount, currency.toUpperCase()) })
  return (
    <SendButton
      error={refusal}
      variant="default"
      size="sm"
      loading={isBusy}
      aria-label={label}
      onClick={() => void inquire()}
    >
      {t.inquireNow}
    </SendButton>
  )
}
