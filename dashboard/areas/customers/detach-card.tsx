import { useEffect, useState } from 'react'
import type { CustomerCard, DetachPreview } from '../../../contract/dashboard/customers-api.ts'
import { CallError, useCall } from '../../kit/call.ts'
import { cardName } from '../../kit/card-name.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { useDayText } from '../../kit/time.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'
import { useAmountText } from './words.tsx'

/** Detaches a card, after showing which subscriptions are charged to it. */
export function DetachCard({ card, onClose }: { card: CustomerCard | null; onClose(): void }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const [call, invalidate, toast] = [useCall(), useInvalidate(), useToast()]
  const { preview, error, setPreview } = usePreview(card)
  async function detach() {
    if (!card || !preview) return
    const body = { preview_hash: preview.preview_hash }
    try {
      await call('POST /payment_methods/{id}/detach', { params: { id: card.id }, body })
    } catch (refused) {
      if (refused instanceof CallError && refused.extra.preview) setPreview(refused.extra.preview as DetachPreview)
      throw refused
    }
    toast(t.detached)
    await invalidate('GET /customers/{id}', 'GET /customers/{id}/history', 'GET /customers')
  }
  return (
    <ConfirmDialog
      opened={card !== null}
      onClose={onClose}
      about={card?.id}
      title={card ? fill(t.detachTitle, { card: cardName(card.card.brand, card.card.last4) }) : t.detach}
      verb={t.detachVerb}
      tone="danger"
      disabled={!preview}
      onConfirm={detach}
      refusalOf={({ extra }) => (extra.preview ? <p role="alert">{t.previewChanged}</p> : null)}
    >
      <p>{t.detachText}</p>
      <Refusal error={error} />
      {preview && preview.subscriptions.length > 0 && <Affected preview={preview} />}
    </ConfirmDialog>
  )
}

function Affected({ preview }: { preview: DetachPreview }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const amount = useAmountText()
  const day = useDayText()
  return (
    <div>
      <p>{t.detachUsed}</p>
      <ul className="lines">
        {preview.subscriptions.map((one) => {
          const { next_billing_date: next } = one
          const values = { what: one.description, amount: amount(one) }
          return (
            <li key={one.id}>
              {next ? fill(t.detachLine, { ...values, day: day(next) }) : fill(t.detachLineNone, values)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function usePreview(card: CustomerCard | null) {
  const call = useCall()
  const [preview, setPreview] = useState<DetachPreview | null>(null)
  const [error, setError] = useState<unknown>(null)
  const id = card?.id
  useEffect(() => {
    setPreview(null)
    setError(null)
    if (id === undefined) return
    let isCurrent = true
    call('POST /payment_methods/{id}/detach/preview', { params: { id } }).then(
      (shown) => isCurrent && setPreview(shown),
      (refused: unknown) => isCurrent && setError(refused),
    )
    return () => {
      isCurrent = false
    }
  }, [call, id])
  return { preview, error, setPreview }
}
