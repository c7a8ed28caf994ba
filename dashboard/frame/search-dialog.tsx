import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import type { PaymentRowStatus } from '../../contract/dashboard/payment-row.ts'
import type { SearchHit, SearchKind } from '../../contract/dashboard/search-api.ts'
import { cardName } from '../kit/card-name.ts'
import { Icon } from '../kit/icons.tsx'
import { AppLink } from '../kit/links.tsx'
import { Modal } from '../kit/modal.tsx'
import { useMoney } from '../kit/money.tsx'
import { PaymentStatus } from '../kit/payment-cells.tsx'
import { useRead } from '../kit/read.ts'
import { Refusal } from '../kit/refusal.tsx'
import { useReturnFocus } from '../kit/return-focus.ts'
import { useTexts } from '../kit/texts.ts'
import { Instant } from '../kit/time.tsx'
import { FRAME_TEXTS } from './frame-texts.ts'

const DEBOUNCE_MS = 200

/** Page of each kind of object. A refund is shown on the page of its payment. */
const PAGES: Record<SearchKind, (id: string) => string> = {
  payment: (id) => `payments/${id}`,
  refund: (id) => `payments/${id}`,
  customer: (id) => `customers/${id}`,
  subscription: (id) => `subscriptions/${id}`,
  session: (id) => `sessions/${id}`,
  product: (id) => `products/${id}`,
  contract: (id) => `contracts/${id}`,
  batch: (id) => `batches/${id}`,
  event: (id) => `events/${id}`,
}

/** Search over everything in the business; shows the newest objects while the field is empty. */
export default function SearchDialog({ onClose }: { onClose(): void }) {
  const t = useTexts(FRAME_TEXTS)
  useReturnFocus(true)
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), DEBOUNCE_MS)
  const { data, error } = useRead('GET /search', { query: text === '' ? {} : { q: text }, keepPrevious: true })
  return (
    <Modal opened onClose={onClose} title={t.searchLabel} size="lg" closeButtonProps={{ 'aria-label': t.closeMenu }}>
      <div className="stack">
        <TextInput
          data-autofocus
          label={t.searchHint}
          type="search"
          leftSection={<Icon name="search" />}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Refusal error={error} />
        <ul className="hits">
          {data?.data.map((hit) => (
            <li key={`${hit.kind} ${hit.id}`}>
              <Hit hit={hit} onClick={onClose} />
            </li>
          ))}
        </ul>
        <p role="status" className="dimmed">
          {data && (isShort(text, data.shape) ? t.searchShort : data.data.length === 0 && t.searchEmpty)}
          {data?.is_cut && t.searchCut}
        </p>
      </div>
    </Modal>
  )
}

const TEXT_MIN = 3

/**
 * Whether the text is too short for a full search: the service then only finds what begins with it, or nothing. Two
 * characters can be a whole Chinese name.
 */
const isShort = (text: string, shape: string) =>
  shape === 'text' && text.length < TEXT_MIN && /^\p{ASCII}*$/u.test(text)

function Hit({ hit, onClick }: { hit: SearchHit; onClick(): void }) {
  const t = useTexts(FRAME_TEXTS)
  const money = useMoney()
  const { kind, id, title, amount, currency, status, card, created } = hit
  return (
    <AppLink to={PAGES[kind](id)} className="hit" onClick={onClick}>
      <span className="hit-kind">{t[`kind_${kind}`]}</span>
      <span className="hit-title">{title ?? (card ? cardName(card.brand, card.last4) : id)}</span>
      {kind === 'payment' && status !== null && <PaymentStatus status={status as PaymentRowStatus} />}
      {amount !== null && <span className="end">{money(amount, currency ?? undefined)}</span>}
      <span className="dimmed">
        <Instant at={created} />
      </span>
    </AppLink>
  )
}
