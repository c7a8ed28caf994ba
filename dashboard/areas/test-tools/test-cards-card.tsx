import { TextInput } from '@mantine/core'
import { useState } from 'react'
import type { TestCard, TestCards } from '../../../contract/dashboard/test-tools-api.ts'
import { Copy } from '../../kit/copy.tsx'
import { Card } from '../../kit/detail.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { TEST_TEXTS } from './texts/texts.ts'

/** The cards of docs/reference/test-cards.md. */
export function TestCardsCard() {
  const t = useTexts(TEST_TEXTS)
  const read = useRead('GET /test_cards')
  const [sought, setSought] = useState('')
  const cards = read.data?.cards.filter((card) => matches(card, sought)).map((card) => ({ ...card, id: card.number }))
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
              { id: 'code', header: t.code, cell: ({ code }) => <code>{code}</code> },
              { id: 'does', header: t.does, cell: ({ does }) => <span lang="en">{does}</span> },
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
  return (
    <Card title={t.cents}>
      <p>{t.centsText}</p>
      <ListTable
        caption={t.centsTable}
        rows={cents?.map((row) => ({ ...row, id: row.cents })) ?? null}
        columns={[
          { id: 'cents', header: t.centsOf, cell: (row) => <code>{row.cents}</code> },
          { id: 'does', header: t.does, cell: ({ does }) => <span lang="en">{does}</span> },
        ]}
      />
    </Card>
  )
}

function matches({ number, code, does }: TestCard, sought: string): boolean {
  const text = `${number} ${number.replaceAll(' ', '')} ${code} ${does}`.toLowerCase()
  return text.includes(sought.trim().toLowerCase())
}
