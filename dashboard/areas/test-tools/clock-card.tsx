import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { TestClockAdvance, TestClockAdvanced } from '../../../contract/test-clock.ts'
import { plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { dayIn } from '../../kit/days.ts'
import { Card, Fields } from '../../kit/detail.tsx'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { useBusiness } from '../../kit/me.ts'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { fill, useLocale, useTexts } from '../../kit/texts.ts'
import { DayField, Instant, useDayText, useInstantText, useToday } from '../../kit/time.tsx'
import { TEST_TEXTS } from './texts/texts.ts'

const DAY_SECONDS = 86_400
/** An advance by more than this number of days has to be confirmed. */
const FAR_DAYS = 31

export function ClockCard() {
  const t = useTexts(TEST_TEXTS)
  const locale = useLocale()
  const read = useRead('GET /test_clock')
  const { advance, isMoving, ran, error } = useAdvance()
  const clock = read.data
  const ahead = Math.round((clock?.offset_seconds ?? 0) / DAY_SECONDS)
  const next = clock?.view.next_bill_at ?? null
  return (
    <Card title={t.clock}>
      <div className="stack">
        <p>{t.clockText}</p>
        {!clock && <Refusal error={read.error} />}
        {clock && (
          <Fields
            items={[
              [t.now, <Instant key="now" at={clock.now} />],
              [t.ahead, clock.offset_seconds === 0 ? t.realTime : plural(t.days, ahead, locale)],
              [t.nextBill, next === null ? t.noBill : <Instant key="next" at={next} />],
            ]}
          />
        )}
        <Refusal error={error} />
        <Steps next={next} now={clock?.now ?? null} isMoving={isMoving} advance={advance} />
        <p role="status">{isMoving ? t.advancing : ''}</p>
        {ran && <Ran ran={ran} goOn={() => void advance({ to: ran.target })} />}
      </div>
    </Card>
  )
}

type Advance = (input: TestClockAdvance, key?: string) => Promise<void>

function useAdvance() {
  const call = useCall()
  const client = useQueryClient()
  const [isMoving, setMoving] = useState(false)
  const [ran, setRan] = useState<TestClockAdvanced | null>(null)
  const [error, setError] = useState<unknown>(null)
  const advance: Advance = async (body, key = crypto.randomUUID()) => {
    setMoving(true)
    setError(null)
    setRan(null)
    try {
      setRan(await call('POST /test_clock/advance', { body, key }))
    } catch (failed) {
      setError(failed)
    } finally {
      setMoving(false)
      // The frame shows the business's date, and every list may have changed.
      await client.invalidateQueries()
    }
  }
  return { advance, isMoving, ran, error }
}

interface StepsProps {
  next: number | null
  now: number | null
  isMoving: boolean
  advance: Advance
}

function Steps({ next, now, isMoving, advance }: StepsProps) {
  const t = useTexts(TEST_TEXTS)
  const today = useToday()
  const { time_zone: zone } = useBusiness()
  const [day, setDay] = useState('')
  const [far, setFar] = useState<{ day: string; input: TestClockAdvance } | null>(null)
  // Days in the time zone of the business; the time of day stays the same.
  const daysTo = (to: string) => Math.round((Date.parse(to) - Date.parse(today)) / (DAY_SECONDS * 1000))
  /** Advances the clock, after a confirmation if it is far. */
  const go = (to: string, input: TestClockAdvance) =>
    daysTo(to) > FAR_DAYS ? setFar({ day: to, input }) : void advance(input)
  const step = (label: string, move: (() => void) | null) => (
    <Button variant="default" size="sm" disabled={move === null || isMoving} onClick={() => move?.()}>
      {label}
    </Button>
  )
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be a group of form fields */}
      <div className="choices" role="group" aria-label={t.advance}>
        {step(t.byDay, now === null ? null : () => void advance({ days: 1 }))}
        {step(t.byMonth, now === null ? null : () => void advance({ days: 30 }))}
        {step(t.toNextBill, next === null ? null : () => go(dayIn(zone, next * 1000), { to: next }))}
      </div>
      <DayField label={t.toDay} value={day} min={today} onChange={setDay} maw={240} />
      <div>
        <Button size="sm" disabled={day <= today || isMoving} onClick={() => go(day, { days: daysTo(day) })}>
          {t.advanceTo}
        </Button>
      </div>
      {far !== null && (
        <FarDialog
          day={far.day}
          onClose={() => setFar(null)}
          onConfirm={(key) => {
            void advance(far.input, key)
            return Promise.resolve()
          }}
        />
      )}
    </>
  )
}

interface FarProps {
  day: string
  onClose(): void
  onConfirm(key: string): Promise<void>
}

function FarDialog({ day, onClose, onConfirm }: FarProps) {
  const t = useTexts(TEST_TEXTS)
  const text = useDayText()
  return (
    <ConfirmDialog opened onClose={onClose} title={t.farTitle} verb={t.farVerb} onConfirm={onConfirm}>
      <p>{fill(t.farText, { day: text(day) })}</p>
    </ConfirmDialog>
  )
}

function Ran({ ran: { ran, done, target }, goOn }: { ran: TestClockAdvanced; goOn(): void }) {
  const t = useTexts(TEST_TEXTS)
  const text = useInstantText()
  return (
    <div>
      <h3>{t.ran}</h3>
      <Fields
        items={[
          [t.ranBills, String(ran.bills)],
          [t.ranApproved, String(ran.approved)],
          [t.ranDeclined, String(ran.declined)],
          [t.ranInDoubt, String(ran.in_doubt)],
          [t.ranSessions, String(ran.expired_sessions)],
        ]}
      />
      {!done && (
        <>
          <p>{t.notDone}</p>
          <Button size="sm" onClick={goOn}>
            {fill(t.goOn, { time: text(target) })}
          </Button>
        </>
      )}
    </div>
  )
}
