import { Button, Radio } from '@mantine/core'
import { useState } from 'react'
import type { CustomerDetail } from '../../../contract/dashboard/customers-api.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useMay } from '../../kit/me.ts'
import { useInvalidate } from '../../kit/read.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { CardLinkDialog } from './card-link-dialog.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'
import { useAmountText } from './words.tsx'

/** A link to show; `url` is `null` if the same call has already returned it once. */
type ShownLink = { url: string | null; expires: number | null } | null

/**
 * Asks the customer for a card, either for one of their subscriptions or to store it: by letter, or by a link to pass
 * on.
 */
export function AskForCard({ customer }: { customer: CustomerDetail }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const [isOpen, setOpen] = useState(false)
  const [link, setLink] = useState<ShownLink>(null)
  const mayAsk = useMay('customers.write')
  if (!mayAsk) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t.newCardCard}
      </Button>
      {isOpen && <AskDialog customer={customer} onClose={() => setOpen(false)} onLink={setLink} />}
      {link && <CardLinkDialog {...link} onClose={() => setLink(null)} />}
    </>
  )
}

const NEEDS_CARD = ['pending_payment_method', 'active', 'paused']
/** Value for a card that is stored for later payments and not for a subscription. */
const TO_KEEP = 'keep'

interface AskDialogProps {
  customer: CustomerDetail
  onClose(): void
  onLink(link: ShownLink): void
}

function AskDialog({ customer, onClose, onLink }: AskDialogProps) {
  const t = useTexts(CUSTOMER_TEXTS)
  const { email, view } = customer
  const subscriptions = view.subscriptions.data.filter(({ status }) => NEEDS_CARD.includes(status))
  const [target, setTarget] = useState(subscriptions[0]?.id ?? TO_KEEP)
  const [by, setBy] = useState<'letter' | 'link'>(email === null ? 'link' : 'letter')
  const ask = useAsk(customer.id, { target, by, onLink })
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.newCardTitle}
      verb={by === 'letter' ? t.newCardVerb : t.newCardShow}
      isOnce
      onConfirm={ask}
    >
      <Targets {...{ subscriptions, target, onChange: setTarget }} />
      <Radio.Group label={t.newCardHow} value={by} onChange={(chosen) => setBy(chosen as typeof by)}>
        <div className="stack">
          <Radio
            value="letter"
            label={email === null ? t.newCardByLetter : fill(t.newCardByLetterTo, { email })}
            description={email === null && t.newCardNoEmail}
            disabled={email === null}
          />
          <Radio value="link" label={t.newCardByLink} description={t.newCardByLinkHint} />
        </div>
      </Radio.Group>
    </ConfirmDialog>
  )
}

interface TargetsProps {
  subscriptions: CustomerDetail['view']['subscriptions']['data']
  target: string
  onChange(target: string): void
}

function Targets({ subscriptions, target, onChange }: TargetsProps) {
  const t = useTexts(CUSTOMER_TEXTS)
  const amount = useAmountText()
  if (subscriptions.length === 0) return <p>{t.newCardKeepHint}</p>
  return (
    <Radio.Group label={t.newCardFor} value={target} onChange={onChange}>
      <div className="stack">
        {subscriptions.map((one) => (
          <Radio key={one.id} value={one.id} label={`${one.description}, ${amount(one)}`} />
        ))}
        <Radio value={TO_KEEP} label={t.newCardKeep} description={t.newCardKeepHint} />
      </div>
    </Radio.Group>
  )
}

interface Asked extends Pick<AskDialogProps, 'onLink'> {
  target: string
  by: 'letter' | 'link'
}

function useAsk(customerId: string, { target, by, onLink }: Asked): (key: string) => Promise<void> {
  const t = useTexts(CUSTOMER_TEXTS)
  const [call, invalidate, toast] = [useCall(), useInvalidate(), useToast()]
  async function requestForSubscription(key: string) {
    const params = { id: target }
    if (by === 'letter') await call('POST /subscriptions/{id}/link', { params, key })
    else onLink({ url: (await call('POST /subscriptions/{id}/show_link', { params })).url, expires: null })
  }
  async function requestToKeep(key: string) {
    const asked = await call('POST /customers/{id}/card_request', { params: { id: customerId }, body: { by }, key })
    if (by === 'link') onLink({ url: asked.url, expires: asked.expires })
  }
  return async (key) => {
    await (target === TO_KEEP ? requestToKeep(key) : requestForSubscription(key))
    if (by === 'letter') toast(t.asked)
    await Promise.all([invalidate('GET /customers/{id}'), invalidate('GET /customers/{id}/history')])
  }
}
