import { Button, Radio } from '@mantine/core'
import { useState } from 'react'
import type { CustomerDetail } from '../../../contract/dashboard/customers-api.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useMay } from '../../kit/me.ts'
import { useInvalidate } from '../../kit/read.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { CUSTOMER_TEXTS } from './texts/texts.ts'
import { useAmountText } from './words.tsx'

/** Sends the customer a letter with the link where they enter a card for one of their subscriptions. */
export function AskForCard({ customer }: { customer: CustomerDetail }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const [isOpen, setOpen] = useState(false)
  const mayAsk = useMay('subscriptions.write')
  if (!mayAsk) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t.newCardCard}
      </Button>
      {isOpen && <AskDialog customer={customer} onClose={() => setOpen(false)} />}
    </>
  )
}

const NEEDS_CARD = ['pending_payment_method', 'active', 'paused']

function AskDialog({ customer, onClose }: { customer: CustomerDetail; onClose(): void }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const amount = useAmountText()
  const [call, invalidate, toast] = [useCall(), useInvalidate(), useToast()]
  const choices = customer.view.subscriptions.data.filter(({ status }) => NEEDS_CARD.includes(status))
  const [chosen, setChosen] = useState(choices[0]?.id ?? null)
  const { email } = customer
  async function send() {
    if (chosen === null) return
    await call('POST /subscriptions/{id}/link', { params: { id: chosen } })
    toast(t.asked)
    await invalidate('GET /customers/{id}')
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.newCardTitle}
      verb={t.newCardVerb}
      disabled={chosen === null || email === null}
      onConfirm={send}
    >
      {email === null || choices.length === 0 ? (
        <p>{email === null ? t.newCardNoEmail : t.newCardNone}</p>
      ) : (
        <Radio.Group label={fill(t.newCardText, { email })} value={chosen} onChange={setChosen}>
          <div className="stack">
            {choices.map((one) => (
              <Radio key={one.id} value={one.id} label={`${one.description}, ${amount(one)}`} />
            ))}
          </div>
        </Radio.Group>
      )}
    </ConfirmDialog>
  )
}
