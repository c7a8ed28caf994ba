import type { ReactNode } from 'react'
import type { SessionDetail } from '../../../contract/dashboard/sessions-api.ts'
import { Card, Fields } from '../../kit/detail.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { useMoney } from '../../kit/money.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { SESSION_TEXTS } from './texts/texts.ts'

type Items = [string, ReactNode][]

export function Amounts({ session }: { session: SessionDetail }) {
  const t = useTexts(SESSION_TEXTS)
  const money = useMoney()
  const { currency, view, surcharge, line_items: lines, discounts } = session
  const of = (label: string, amount: number | null): Items =>
    amount === null ? [] : [[label, money(amount, currency)]]
  const major = (amount: number) => money(Math.round(amount * 100), currency)
  return (
    <Card title={t.amounts}>
      <div className="stack">
        <Fields
          items={[
            ...of(t.subtotal, view.amount_subtotal),
            ...of(t.tax, view.amount_tax),
            ...of(t.discount, view.amount_discount),
            [t.total, money(view.amount_total, currency)],
            ...(surcharge
              ? ([
                  [t.surcharge, view.amount_surcharge ? money(view.amount_surcharge, currency) : `${surcharge.rate} %`],
                ] as Items)
              : []),
            ...discounts.map(({ name, code, amount, percent_off: percent }): Items[number] => [
              name ?? code ?? t.discounts,
              amount === undefined ? fill(t.percentOff, { percent: percent ?? 0 }) : major(amount),
            ]),
          ]}
        />
        {lines.length > 0 && (
          <ListTable
            caption={t.items}
            rows={lines.map((line, index) => ({ ...line, id: `${index}` }))}
            columns={[
              { id: 'name', header: t.item, cell: ({ name }) => name },
              { id: 'quantity', header: t.quantity, align: 'end', cell: ({ quantity }) => quantity },
              { id: 'unit', header: t.unitPrice, align: 'end', cell: ({ unit_amount: amount }) => major(amount) },
              { id: 'total', header: t.total, align: 'end', cell: ({ total }) => major(total) },
            ]}
          />
        )}
      </div>
    </Card>
  )
}

/** Data from the payer, consent and addresses, and the metadata of the shop. */
export function Given({ session }: { session: SessionDetail }) {
  const t = useTexts(SESSION_TEXTS)
  const { consent, billing_address: billing, shipping_address: shipping, metadata } = session
  const cards: [string, Items][] = [
    [t.consent, consent ? consentOf(t, consent) : []],
    [t.billingAddress, addressOf(t.billingAddress, billing)],
    [t.shippingAddress, addressOf(t.shippingAddress, shipping)],
    [t.metadata, Object.entries(metadata).map(([name, value]) => [name, String(value)])],
  ]
  const shown = cards.filter(([, items]) => items.length > 0)
  if (shown.length === 0) return null
  return (
    <div className="cards">
      {shown.map(([title, items]) => (
        <Card key={title} title={title}>
          <Fields items={items} />
        </Card>
      ))}
    </div>
  )
}

type Texts = ReturnType<typeof useTexts<(typeof SESSION_TEXTS)['english']>>

function consentOf(
  t: Texts,
  { terms_of_service: terms, promotions, accepted_at: at, ip }: NonNullable<SessionDetail['consent']>,
): Items {
  return [
    [t.terms, terms && t.accepted],
    [t.promotions, promotions && t[promotions]],
    [t.consentAt, <Instant key="at" at={Date.parse(at) / 1000} seconds />],
    [t.consentFrom, ip],
  ]
}

/** Returns one line for each part of an address, in the order of an envelope. */
function addressOf(label: string, address: SessionDetail['billing_address']): Items {
  if (address === null) return []
  const { name, line1, line2, city, state, postal_code: code, country } = address
  const lines = [name, line1, line2, [city, state, code].filter(Boolean).join(' '), country].filter(Boolean)
  return lines.length === 0 ? [] : [[label, lines.join(', ')]]
}
