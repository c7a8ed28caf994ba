import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import type { CustomerCard } from '../../../contract/dashboard/customers-api.ts'
import { plural } from '../../../contract/text.ts'
import { cardName } from '../../kit/card-name.ts'
import { Card } from '../../kit/detail.tsx'
import { codeText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { ListTable } from '../../kit/list-table.tsx'
import { useMay } from '../../kit/me.ts'
import { Status } from '../../kit/status.tsx'
import { fill, useLocale, useTexts } from '../../kit/texts.ts'
import { DetachCard } from './detach-card.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

interface CustomerCardsProps {
  cards: CustomerCard[]
  actions: ReactNode
  /** Content below the cards. */
  children: ReactNode
}

/** The saved cards, with the reason if a card may not be charged. */
export function CustomerCards({ cards, actions, children }: CustomerCardsProps) {
  const t = useTexts(CUSTOMER_TEXTS)
  const locale = useLocale()
  const mayDetach = useMay('cards.detach')
  const [chosen, setChosen] = useState<CustomerCard | null>(null)
  if (cards.length === 0)
    return (
      <Card title={t.cards} actions={actions}>
        <p className="dimmed">{t.noCards}</p>
        {children}
      </Card>
    )
  return (
    <Card title={t.cards} actions={actions}>
      <ListTable
        caption={t.cards}
        rows={cards}
        columns={[
          { id: 'card', header: t.card, cell: ({ card }) => cardName(card.brand, card.last4) },
          { id: 'expires', header: t.expires, cell: ({ card }) => expiryOf(card) },
          { id: 'state', header: t.state, cell: (card) => <CardState card={card} /> },
          {
            id: 'used',
            header: t.subscriptions,
            cell: ({ view }) => view.subscriptions > 0 && plural(t.usedBy, view.subscriptions, locale),
          },
          { id: 'holder', header: t.holder, cell: ({ view }) => view.name_on_card },
          ...(mayDetach
            ? [
                {
                  id: 'detach',
                  header: t.actions,
                  cell: (card: CustomerCard) => (
                    <Button variant="default" size="compact-sm" onClick={() => setChosen(card)}>
                      {t.detach}
                    </Button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {children}
      <DetachCard card={chosen} onClose={() => setChosen(null)} />
    </Card>
  )
}

const expiryOf = ({ exp_month: month, exp_year: year }: CustomerCard['card']) =>
  `${String(month).padStart(2, '0')}/${year}`

function CardState({ card: { view } }: { card: CustomerCard }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const gateway = useGatewayTexts()
  if (view.charge_block !== null)
    return (
      <>
        <Status tone="bad">{t.blocked}</Status>
        <div className="dimmed">{fill(t.blockedText, { code: codeText(view.charge_block, gateway) ?? '' })}</div>
      </>
    )
  if (view.is_expired) return <Status tone="bad">{t.expired}</Status>
  return <Status tone="good">{t.usable}</Status>
}
