import { fill, plural } from '../../../contract/text.ts'
import { CallError } from '../../kit/call-error.ts'
import { secondsOf } from '../../kit/refusal.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { useInstantText } from '../../kit/time.tsx'
import { WEBHOOK_TEXTS } from './texts/texts.ts'

/** Returns a function for the text of the time in a number of seconds from now. */
export function useTimeIn(): (seconds: number) => string {
  const text = useInstantText()
  return (seconds) => text(Math.ceil(Date.now() / 1000) + seconds)
}

/** Returns the text if an endpoint has used up its redeliveries; `undefined` for any other refusal. */
export function useSpentHourText(): (error: unknown) => string | undefined {
  const t = useTexts(WEBHOOK_TEXTS)
  const locale = useLocale()
  const timeIn = useTimeIn()
  return (error) => {
    const left = error instanceof CallError ? error.extra.redeliveries_left : undefined
    if (typeof left !== 'number') return undefined
    const time = timeIn(secondsOf(error))
    return fill(left === 0 ? t.hourSpent : plural(t.hourNearlySpent, left, locale), { time })
  }
}
