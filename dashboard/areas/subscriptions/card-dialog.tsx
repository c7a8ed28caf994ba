import { Radio } from '@mantine/core'
import { useState } from 'react'
import { fill } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import type { DialogProps } from './dialog-props.ts'
import { TEXTS } from './texts/texts.ts'
import { useChanged } from './use-change.ts'
import { useCardText } from './words.tsx'

/** Another card on file of the customer. */
export default function CardDialog({ of, onClose }: DialogProps) {
  const t = useTexts(TEXTS)
  const call = useCall()
  const changed = useChanged()
  const toast = useToast()
  const text = useCardText()
  const [card, setCard] = useState<string | null>(null)
  const customer = useRead('GET /customers/{id}', { params: { id: of.customer } })
  const others = (customer.data?.view.payment_methods ?? []).filter(
    ({ id, status }) => status === 'active' && id !== of.payment_method,
  )
  const replace = async () => {
    if (card !== null)
      await call('POST /subscriptions/{id}/payment_method', { params: { id: of.id }, body: { payment_method: card } })
    toast(t.cardChanged)
    await changed()
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.changeCardTitle, { what: of.view.description })}
      verb={t.changeCard}
      onConfirm={replace}
      disabled={card === null}
    >
      <Refusal error={customer.error} />
      {customer.data && others.length === 0 && <p>{t.noOtherCard}</p>}
      {others.length > 0 && (
        <Radio.Group label={t.card} value={card} onChange={setCard}>
          <div className="stack">
            {others.map(({ id, card: { brand, last4, exp_month, exp_year }, view }) => (
              <Radio
                key={id}
                value={id}
                label={text({ brand, last4, exp_month, exp_year })}
                disabled={view.charge_block !== null || view.is_expired}
              />
            ))}
          </div>
        </Radio.Group>
      )}
      <p>{t.changeCardText}</p>
    </ConfirmDialog>
  )
}
