import { fill } from '../../contract/text.ts'
import { PathLink } from '../kit/links.tsx'
import { useBusiness, useMe } from '../kit/me.ts'
import { useOnline } from '../kit/online.ts'
import { useTexts } from '../kit/texts.ts'
import { useDayText, useToday } from '../kit/time.tsx'
import { FRAME_TEXTS } from './frame-texts.ts'

/** Notices on every page: test mode, a moved clock, no connection, a missing second factor. */
export function Notices() {
  const t = useTexts(FRAME_TEXTS)
  const { environment, user } = useMe()
  const { clock_offset_seconds: offset } = useBusiness()
  const today = useToday()
  const dayText = useDayText('medium')
  const isOnline = useOnline()
  return (
    <section className="notices" aria-label={t.notices}>
      {environment === 'staging' && (
        <div className="notice" data-kind="staging">
          {t.testMode} {offset !== 0 && <strong>{fill(t.movedClock, { day: dayText(today) })}</strong>}
        </div>
      )}
      {!user.second_factor && (
        <div className="notice" data-kind="factor">
          {t.noSecondFactor} <PathLink to="/dashboard/account">{t.addSecondFactor}</PathLink>
        </div>
      )}
      {!isOnline && (
        <div className="notice" data-kind="offline" role="alert">
          {t.offline}
        </div>
      )}
    </section>
  )
}
