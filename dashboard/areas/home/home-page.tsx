import { useState } from 'react'
import type { Home } from '../../../contract/dashboard/home-api.ts'
import { Page } from '../../kit/page.tsx'
import { useInvalidate, useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Alerts } from './alerts.tsx'
import { Coming } from './coming.tsx'
import { FirstSteps } from './first-steps.tsx'
import { LatestEvents, LatestPayments } from './latest.tsx'
import { TEXTS } from './texts/texts.ts'
import { ThirtyDays } from './thirty-days.tsx'
import { Today } from './today.tsx'

const EVERY_MS = 60_000

/** Alerts that need a person come first, then the figures of the business. */
export default function HomePage() {
  const t = useTexts(TEXTS)
  const [currency, setCurrency] = useState<Home['currency'] | null>(null)
  const query = currency === null ? {} : { currency }
  const read = useRead('GET /home', { query, every: EVERY_MS, background: true, keepPrevious: true })
  const invalidate = useInvalidate()
  const home = read.data
  const currencies = home && home.currencies.length > 1 && home.first_steps === null && (
    <label className="paging-size">
      {t.currency}
      <select
        value={currency ?? home.currency}
        onChange={({ currentTarget }) => setCurrency(currentTarget.value as Home['currency'])}
      >
        {home.currencies.map((one) => (
          <option key={one}>{one}</option>
        ))}
      </select>
    </label>
  )
  return (
    <Page title={t.home} actions={currencies}>
      <Alerts every={EVERY_MS} isQuiet={read.error !== null} />
      <Refusal error={read.error} onRetry={() => void invalidate('GET /home', 'GET /alerts', 'GET /bills/upcoming')} />
      {home?.first_steps && <FirstSteps steps={home.first_steps} />}
      {home && home.first_steps === null && <Figures home={home} />}
      <Coming every={EVERY_MS} isQuiet={read.error !== null} hidesNothing={home?.first_steps !== null} />
      {home && home.latest_payments.length > 0 && <LatestPayments payments={home.latest_payments} />}
      {home && home.latest_events.length > 0 && <LatestEvents events={home.latest_events} />}
    </Page>
  )
}

function Figures({ home }: { home: Home }) {
  return (
    <>
      <Today home={home} />
      <ThirtyDays home={home} />
    </>
  )
}
