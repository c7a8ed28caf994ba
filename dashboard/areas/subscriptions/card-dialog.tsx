import { Radio } from '@mantine/core'
import { useState } from 'react'
import type { CardChangePreview } from '../../../contract/dashboard/bill-views.ts'
import type { ResponseOf } from '../../../contract/dashboard/dashboard-api.ts'
import { fill } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { cardName } from '../../kit/card-name.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { codeText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { useMoney } from '../../kit/money.tsx'
import { quietWhenStale, useAgreement, usePreview } from '../../kit/preview.ts'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { useDayText, useInstantText } from '../../kit/time.tsx'
import { FiguresChanged, Was } from '../../kit/was.tsx'
import type { DialogProps } from './dialog-props.ts'
import { Notice } from './notice.tsx'
import { TEXTS } from './texts/texts.ts'
import { useChanged } from './use-change.ts'
import { useCardText } from './words.tsx'

/** Value if the customer enters a card, instead of the id of a card. */
const LINK = 'link'

/** Chooses another stored card of the customer, or asks the customer to enter one. */
export default function CardDialog({ of, onClose }: DialogProps) {
  const t = useTexts(TEXTS)
  const [chosen, setChosen] = useState<string | null>(null)
  const customer = useRead('GET /customers/{id}', { params: { id: of.customer } })
  const isCard = chosen !== null && chosen !== LINK
  const preview = usePreview('POST /subscriptions/{id}/payment_method/preview', {
    params: { id: of.id },
    body: { payment_method: chosen ?? '' },
    enabled: isCard,
  })
  const { former, commit } = useAgreement(preview)
  const before = former?.to.id === chosen ? former : null
  const confirm = useConfirm(of, chosen, preview.data?.preview_hash ?? '')
  const { to } = preview.data ?? {}
  const verb = to ? fill(t.changeCardVerb, { card: cardName(to.brand, to.last4) }) : t.changeCard
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.changeCardTitle, { what: of.view.description })}
      about={of.id}
      verb={chosen === LINK ? t.sendLink : verb}
      isOnce
      onConfirm={(key) => commit(() => confirm(key))}
      disabled={chosen === null || (isCard && (preview.isFetching || preview.data?.refusal !== null))}
      refusalOf={quietWhenStale}
    >
      <FiguresChanged since={before} />
      <Refusal error={customer.error} />
      {customer.data && <Choices {...{ of, chosen, onChange: setChosen, customer: customer.data }} />}
      {isCard && <Refusal error={preview.error} />}
      {isCard && preview.data && <Effects preview={preview.data} former={before} />}
      {chosen === LINK && (
        <p>
          {fill(t.sendLinkText, { email: of.view.customer.email ?? '' })} {t.linkOther}
        </p>
      )}
    </ConfirmDialog>
  )
}

function useConfirm({ id }: DialogProps['of'], chosen: string | null, preview_hash: string) {
  const t = useTexts(TEXTS)
  const call = useCall()
  const changed = useChanged()
  const toast = useToast()
  const params = { id }
  return async (key: string) => {
    try {
      if (chosen === LINK) await call('POST /subscriptions/{id}/link', { params, key })
      else if (chosen !== null) {
        const body = { payment_method: chosen, preview_hash }
        await call('POST /subscriptions/{id}/payment_method', { params, body, key })
      }
      toast(chosen === LINK ? t.linkSent : t.cardChanged)
    } finally {
      await changed()
    }
  }
}

interface ChoicesProps extends Pick<DialogProps, 'of'> {
  chosen: string | null
  onChange(chosen: string): void
  customer: ResponseOf<'GET /customers/{id}'>
}

function Choices({ of, chosen, onChange, customer }: ChoicesProps) {
  const t = useTexts(TEXTS)
  const gateway = useGatewayTexts()
  const text = useCardText()
  const others = customer.view.payment_methods.filter(
    ({ id, status }) => status === 'active' && id !== of.payment_method,
  )
  const { email } = of.view.customer
  return (
    <Radio.Group label={t.card} value={chosen} onChange={onChange}>
      <div className="stack">
        {others.length === 0 && <p className="dimmed">{t.noOtherCard}</p>}
        {others.map(({ id, card: { brand, last4, exp_month, exp_year }, view }) => (
          <Radio
            key={id}
            value={id}
            label={text({ brand, last4, exp_month, exp_year })}
            description={
              view.charge_block !== null
                ? fill(t.cardBlocked, { code: codeText(view.charge_block, gateway) ?? '' })
                : view.is_expired && t.expired
            }
            disabled={view.charge_block !== null || view.is_expired}
          />
        ))}
        <Radio
          value={LINK}
          label={t.customerEnters}
          description={email === null ? t.noEmail : null}
          disabled={email === null}
        />
      </div>
    </Radio.Group>
  )
}

function Effects({ preview, former }: { preview: CardChangePreview; former: CardChangePreview | null }) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const day = useDayText()
  const instant = useInstantText()
  const currency = preview.currency.toUpperCase()
  const { from, is_charging, refusal } = preview
  const shown = (text: (one: CardChangePreview) => string) => {
    const [before, now] = [former ? text(former) : undefined, text(preview)]
    return (
      (before || now) && (
        <p>
          <Was former={before} now={now} />
        </p>
      )
    )
  }
  const amounts = ({ amount, amount_before: before }: CardChangePreview) =>
    amount === before ? '' : fill(t.cardAmount, { amount: money(amount, currency), before: money(before, currency) })
  const tries = ({ retry }: CardChangePreview) => {
    if (!retry) return ''
    const values = { amount: money(retry.amount, currency), attempt: retry.attempt, of: retry.of }
    return retry.at === null
      ? fill(t.cardRetryByHand, values)
      : fill(t.cardRetry, { ...values, when: instant(retry.at) })
  }
  const next = ({ next_billing_date: date, amount }: CardChangePreview) =>
    date === null ? t.cardNoNext : fill(t.cardNext, { amount: money(amount, currency), day: day(date) })
  return (
    <>
      {refusal !== null && <Notice tone="bad" text={t[`refused_${refusal}`]} />}
      {from && <p>{fill(t.cardUntilNow, { card: cardName(from.brand, from.last4) })}</p>}
      {shown(amounts)}
      {is_charging && <p>{t.cardCharging}</p>}
      {shown(tries)}
      {shown(next)}
    </>
  )
}
