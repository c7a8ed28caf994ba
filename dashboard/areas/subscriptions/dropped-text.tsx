import type { Dropped } from '../../../contract/dashboard/subscription-views.ts'
import { fill, plural } from '../../../contract/text.ts'
import { useMoney } from '../../kit/money.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { Was } from '../../kit/was.tsx'
import { TEXTS } from './texts/texts.ts'

interface DroppedTextProps {
  dropped: Dropped
  /** Attempts that the person had agreed to drop. */
  former: Dropped | undefined
  currency: string
}

/** Retries that will not be made any more; renders nothing if there are none. */
export function DroppedText({ dropped, former, currency }: DroppedTextProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const locale = useLocale()
  const text = ({ attempts, amount }: Dropped) =>
    attempts === 0
      ? ''
      : fill(plural(t.pauseDrops, attempts, locale), { amount: money(amount, currency.toUpperCase()) })
  const [before, now] = [former && text(former), text(dropped)]
  return (
    (before || now) && (
      <p>
        <Was former={before} now={now} />
      </p>
    )
  )
}
