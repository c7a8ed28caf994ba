import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TestCard, TestCards } from '../../../contract/dashboard/test-tools-api.ts'
import { hasSearchWords } from '../../../contract/search-text.ts'
import { Copy } from '../../kit/copy.tsx'
import { Card } from '../../kit/detail.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { CARD_TEXTS } from './card-texts/card-texts.ts'
import { TEST_TEXTS } from './texts/texts.ts'

/** The cards of docs/reference/test-cards.md. */
export function TestCardsCard() {
  const t = useTexts(TEST_TEXTS)
  const read = useRead('GET /test_cards')
  const described = useDescribed()
  const [sought, setSought] = useState('')
  const cards = read.data?.cards.map(described).filter((card) => matches(card, sought))
  return (
    <>
      <Card title={t.cards}>
        <div className="stack">
          <p>{t.cardsText}</p>
          {!read.data && <Refusal error={read.error} />}
          <TextInput
            type="search"
            label={t.find}
            value={sought}
            maw={320}
            onChange={({ currentTarget }) => setSought(currentTarget.value)}
          />
          <ListTable
            caption={t.cardsTable}
            rows={cards ?? null}
            columns={[
              {
                id: 'number',
                header: t.number,
                cell: ({ number }) => (
                  <span className="nowrap">
                    <code>{number}</code>{' '}
                    <Copy text={number.replaceAll(' ', '')} label={fill(t.copyCard, { number })} />
                  </span>
                ),
              },
              { id: 'code', header: t.code, cell: ({ code }) => (code === null ? t.byAmount : <code>{code}</code>) },
              { id: 'does', header: t.does, cell: ({ does }) => does },
            ]}
          />
        </div>
      </Card>
      <CentsCard cents={read.data?.cents} />
    </>
  )
}

function CentsCard({ cents }: { cents: TestCards['cents'] | undefined }) {
  const t = useTexts(TEST_TEXTS)
  const effects = useTexts(CARD_TEXTS)
  return (
    <Card title={t.cents}>
      <p>{t.centsText}</p>
      <ListTable
        caption={t.centsTable}
        rows={cents?.map((row) => ({ ...row, id: row.cents })) ?? null}
        columns={[
          { id: 'cents', header: t.centsOf, cell: (row) => <code>{row.cents}</code> },
          { id: 'does', header: t.does, cell: ({ effect }) => effects[effect] },
        ]}
      />
    </Card>
  )
}

/** Returns the cards with a description of their effects. */
function useDescribed() {
  const t = useTexts(TEST_TEXTS)
  const effects = useTexts(CARD_TEXTS)
  return ({ number, code, effect, is_three_ds: isThreeDs }: TestCard) => {
    const does = effects[effect]
    return { id: number, number, code, does: isThreeDs ? fill(t.threeDsCard, { does }) : does }
  }
}

function matches({ number, code, does }: { number: string; code: string | null; does: string }, sought: string) {
  return hasSearchWords(`${number} ${number.replaceAll(' ', '')} ${code} ${does}`, sought)
}
