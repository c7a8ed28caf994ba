import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCall } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { AppLink } from '../../kit/links.tsx'
import { Page } from '../../kit/page.tsx'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { ClockCard } from './clock-card.tsx'
import { TestCardsCard } from './test-cards-card.tsx'
import { TEST_TEXTS } from './texts/texts.ts'

export default function TestPage() {
  const t = useTexts(TEST_TEXTS)
  return (
    <Page title={t.title}>
      <p>{t.text}</p>
      <div className="cards">
        <ClockCard />
        <SampleCard />
      </div>
      <div className="cards">
        <Card title={t.mailbox}>
          <p>{t.mailboxText}</p>
          <p>
            <AppLink to="test/mailbox">{t.openMailbox}</AppLink>
          </p>
        </Card>
        <Card title={t.ledger}>
          <p>{t.ledgerText}</p>
          <p>
            <AppLink to="test/ledger">{t.openLedger}</AppLink>
          </p>
        </Card>
      </div>
      <TestCardsCard />
    </Page>
  )
}

function SampleCard() {
  const t = useTexts(TEST_TEXTS)
  const call = useCall()
  const [isMaking, setMaking] = useState(false)
  const [made, setMade] = useState('')
  const [error, setError] = useState<unknown>(null)
  async function make() {
    setMaking(true)
    setError(null)
    try {
      const { object: _object, ...counts } = await call('POST /test_data', { key: crypto.randomUUID() })
      setMade(fill(t.dataMade, counts))
    } catch (failed) {
      setError(failed)
    } finally {
      setMaking(false)
    }
  }
  return (
    <Card title={t.data}>
      <div className="stack">
        <p>{t.dataText}</p>
        <Refusal error={error} />
        <div>
          <Button loading={isMaking} onClick={() => void make()}>
            {t.makeData}
          </Button>
        </div>
        <p role="status">{made}</p>
        {made !== '' && <AppLink to="payments">{t.seeData}</AppLink>}
      </div>
    </Card>
  )
}
