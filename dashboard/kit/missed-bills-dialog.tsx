import type { CatchUpPreview, DecidedBills } from '../../contract/dashboard/bill-views.ts'
import { useCall } from './call.ts'
import { cardName } from './card-name.ts'
import { ConfirmDialog, useToast } from './dialog.tsx'
import { ListTable } from './list-table.tsx'
import { en } from './missed-texts/en.ts'
import { useMoney } from './money.tsx'
import { quietWhenStale, useAgreement, usePreview } from './preview.ts'
import { useInvalidate } from './read.ts'
import { Refusal } from './refusal.tsx'
import { Status } from './status.tsx'
import { defineTexts, fill, plural, useLocale, useTexts } from './texts.ts'
import { DayRange } from './time.tsx'
import { FiguresChanged, Was } from './was.tsx'

const MISSED_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./missed-texts/fr-CA.ts'),
  es: () => import('./missed-texts/es.ts'),
})

/** The decision that a person has chosen for the missed bills of a subscription. */
export interface MissedDecision {
  choice: 'bill' | 'skip'
  subscriptionId: string
  /** Name of the customer or description of the subscription. */
  about: string
}

/** Shows what the decision will charge and leave out before the person confirms it (DSH-28). */
export default function MissedBillsDialog({ decision, onClose }: { decision: MissedDecision; onClose(): void }) {
  const t = useTexts(MISSED_TEXTS)
  const locale = useLocale()
  const { choice: missed, subscriptionId: id, about } = decision
  const params = { id }
  const preview = usePreview('POST /subscriptions/{id}/catch_up/preview', { params, body: { missed }, enabled: true })
  const { former, commit } = useAgreement(preview)
  const call = useCall()
  const toast = useToast()
  const invalidate = useInvalidate()
  const verb = useVerb(missed, preview.data)
  const decide = async (key: string) => {
    const body = { missed, preview_hash: preview.data?.preview_hash ?? '' }
    try {
      await commit(() => call('POST /subscriptions/{id}/catch_up', { params, body, key }))
      const bills = preview.data?.charged.count ?? 0
      toast(bills > 0 ? plural(t.billed, bills, locale) : t.decided)
    } finally {
      await invalidate('GET /alerts', 'GET /subscriptions/{id}', 'GET /subscriptions', 'GET /bills/upcoming')
    }
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={missed === 'bill' ? t.billTitle : t.skipTitle}
      about={id}
      verb={verb}
      isOnce
      onConfirm={decide}
      disabled={!preview.data || preview.isFetching || !mayDecide(preview.data)}
      refusalOf={quietWhenStale}
    >
      <FiguresChanged since={former} />
      <p>
        <strong>{about}</strong>
      </p>
      <Refusal error={preview.error} />
      {preview.data && <Effects preview={preview.data} former={former} />}
    </ConfirmDialog>
  )
}

/**
 * Whether the decision is possible now: a bill with a blocked card would end unpaid; one with an unsigned contract
 * waits.
 */
function mayDecide({ charged, blocked }: CatchUpPreview): boolean {
  return charged.count === 0 || blocked === null || blocked === 'contract_unsigned'
}

function useVerb(missed: 'bill' | 'skip', preview: CatchUpPreview | undefined): string {
  const t = useTexts(MISSED_TEXTS)
  const locale = useLocale()
  const money = useMoney()
  if (!preview) return missed === 'bill' ? t.billTitle : t.skipTitle
  const { charged, skipped, currency } = preview
  const total = money(charged.amount, currency.toUpperCase())
  if (skipped.count === 0) return fill(t.bill, { total })
  if (charged.count === 0) return plural(t.skip, skipped.count, locale)
  return fill(plural(t.skipAndBill, skipped.count, locale), { total })
}

function Effects({ preview, former }: { preview: CatchUpPreview; former: CatchUpPreview | null }) {
  const t = useTexts(MISSED_TEXTS)
  const locale = useLocale()
  const money = useMoney()
  const { charged, skipped, blocked } = preview
  const currency = preview.currency.toUpperCase()
  const skippedText = ({ skipped: { count, amount } }: CatchUpPreview) =>
    fill(plural(t.skipped, count, locale), { amount: money(amount, currency) })
  const sumText = ({ charged: { amount }, card: of }: CatchUpPreview) => {
    const total = money(amount, currency)
    return of ? fill(t.total, { total, card: cardName(of.brand, of.last4) }) : fill(t.totalWithoutCard, { total })
  }
  const shown = (text: (one: CatchUpPreview) => string) => (
    <Was former={former ? text(former) : undefined} now={text(preview)} />
  )
  return (
    <>
      {skipped.count > 0 && (
        <>
          <p>{shown(skippedText)}</p>
          <Bills caption={t.skippedTable} bills={skipped} currency={currency} />
        </>
      )}
      {charged.count === 0 ? (
        <p>{t.noneCharged}</p>
      ) : (
        <>
          <p>{shown(({ charged: { count } }) => plural(t.charged, count, locale))}</p>
          <Bills caption={t.chargedTable} bills={charged} currency={currency} />
          <p>
            <strong>{shown(sumText)}</strong>
          </p>
          {blocked !== null && (
            <Status tone="warn">
              <span className="alert-text">{t[blocked]}</span>
            </Status>
          )}
        </>
      )}
    </>
  )
}

function Bills({ caption, bills, currency }: { caption: string; bills: DecidedBills; currency: string }) {
  const t = useTexts(MISSED_TEXTS)
  const locale = useLocale()
  const money = useMoney()
  const { count, periods } = bills
  return (
    <>
      <ListTable
        caption={caption}
        rows={periods.map((period) => ({ ...period, id: period.start }))}
        columns={[
          {
            id: 'period',
            header: t.period,
            cell: ({ start, end }) => <DayRange start={start} end={end} />,
          },
          { id: 'amount', header: t.amount, align: 'end', cell: (one) => money(one.amount, currency) },
        ]}
      />
      {count > periods.length && <p className="dimmed">{plural(t.more, count - periods.length, locale)}</p>}
    </>
  )
}
