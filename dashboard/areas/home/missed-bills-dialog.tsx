import type { Alert } from '../../../contract/dashboard/home-api.ts'
import { fill, plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useMoney } from '../../kit/money.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

/** What a person has chosen about the missed bills of a subscription. */
export interface Decision {
  choice: 'bill' | 'skip'
  subscriptionId: string
  customer: string
  missed: NonNullable<Alert['missed']>
}

/** Says what the decision charges or leaves out before it is made (DSH-28). */
export function MissedBillsDialog({ decision, onClose }: { decision: Decision | null; onClose(): void }) {
  const t = useTexts(TEXTS)
  const locale = useLocale()
  const money = useMoney()
  const call = useCall()
  const say = useToast()
  const invalidate = useInvalidate()
  const { choice = 'bill', subscriptionId = '', customer = '', missed } = decision ?? {}
  const { bills = 0, amount = 0, currency = 'USD', elapsed = 0 } = missed ?? {}
  const total = money(bills * amount, currency)
  const isBill = choice === 'bill'
  async function decide() {
    await call('POST /subscriptions/{id}/catch_up', { params: { id: subscriptionId }, body: { missed: choice } })
    await invalidate('GET /alerts')
    say(t.missedDone)
  }
  return (
    <ConfirmDialog
      opened={decision !== null}
      onClose={onClose}
      title={isBill ? t.billTitle : t.skipTitle}
      about={subscriptionId}
      verb={isBill ? fill(t.billVerb, { total }) : plural(t.skipVerb, elapsed, locale)}
      onConfirm={decide}
    >
      <p>
        <strong>{customer}</strong>
      </p>
      {isBill ? (
        <p>
          {fill(plural(t.billText, bills, locale), { amount: money(amount, currency) })} {fill(t.billTotal, { total })}
        </p>
      ) : (
        <p>{plural(t.skipText, elapsed, locale)}</p>
      )}
    </ConfirmDialog>
  )
}
