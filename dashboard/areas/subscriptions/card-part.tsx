import { Checkbox, Radio } from '@mantine/core'
import { useEffect } from 'react'
import { fill } from '../../../contract/text.ts'
import { Card } from '../../kit/detail.tsx'
import { codeText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { useTexts } from '../../kit/texts.ts'
import type { NewSubscription } from './new-subscription-form.ts'
import type { PartProps } from './part-props.ts'
import { TEXTS } from './texts/texts.ts'
import { useCardText } from './words.tsx'

/** A stored card, or a link for the customer. */
export function CardPart({ form, change, errors, customer }: PartProps) {
  const t = useTexts(TEXTS)
  const isNew = form.customerKind === 'new'
  const kind = isNew ? 'link' : form.cardKind
  return (
    <Card title={t.cardKind}>
      <div className="stack">
        <Radio.Group
          aria-label={t.cardKind}
          value={kind}
          onChange={(value) => change({ cardKind: value as NewSubscription['cardKind'] })}
        >
          <div className="choices">
            <Radio value="stored" label={t.storedCard} disabled={isNew} />
            <Radio value="link" label={t.customerEnters} />
          </div>
        </Radio.Group>
        {kind === 'stored' ? (
          customer && <StoredCards {...{ form, change, errors, customer }} />
        ) : (
          <Checkbox
            label={t.sendsLetter}
            checked={form.sendsLetter}
            onChange={({ currentTarget }) => change({ sendsLetter: currentTarget.checked })}
          />
        )}
      </div>
    </Card>
  )
}

function StoredCards({ form, change, errors, customer }: PartProps) {
  const t = useTexts(TEXTS)
  const text = useCardText()
  const gateway = useGatewayTexts()
  const cards = (customer?.view.payment_methods ?? []).filter(({ status }) => status === 'active')
  const usable = cards.filter(({ view }) => !view.is_expired && view.charge_block === null)
  const [only] = usable.length === 1 ? usable : []
  useEffect(() => {
    if (form.card === null && only) change({ card: only.id })
  })
  if (cards.length === 0) return <p>{t.noCards}</p>
  return (
    <Radio.Group
      label={t.storedCard}
      value={form.card}
      onChange={(card) => change({ card })}
      error={errors.payment_method}
    >
      <div className="stack">
        {cards.map(({ id, card: { brand, last4, exp_month, exp_year }, view }) => (
          <Radio
            key={id}
            value={id}
            label={text({ brand, last4, exp_month, exp_year })}
            description={
              view.charge_block !== null
                ? fill(t.cardBlocked, { code: codeText(view.charge_block, gateway) ?? '' })
                : view.is_expired && t.expired
            }
            disabled={view.is_expired || view.charge_block !== null}
          />
        ))}
      </div>
    </Radio.Group>
  )
}
