import type { AttemptMark } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import { codeText, useGatewayTexts } from '../../kit/gateway-texts/gateway-texts.ts'
import { AppLink } from '../../kit/links.tsx'
import { Status, type Tone } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Day } from '../../kit/time.tsx'
import { TEXTS } from './texts/texts.ts'

const TONES: Record<AttemptMark['state'], Tone> = {
  succeeded: 'good',
  failed: 'bad',
  planned: 'plain',
  charging: 'info',
  dropped: 'plain',
}

/** The four attempts of a bill, as a row. */
export function AttemptMarks({ marks }: { marks: AttemptMark[] }) {
  const t = useTexts(TEXTS)
  const gateway = useGatewayTexts()
  return (
    <ol className="marks">
      {marks.map(({ attempt, day, state, code, payment, trigger }) => (
        <li key={attempt} data-state={state}>
          <strong>{fill(t.attemptOf, { attempt })}</strong>
          <Day of={day} />
          <Status tone={TONES[state]}>
            <span className="wraps">{codeText(code, gateway) ?? t[`mark_${state}`]}</span>
          </Status>
          {trigger === 'manual' && <span className="dimmed">{t.byHand}</span>}
          {payment !== null && <AppLink to={`payments/${payment}`}>{t.payment}</AppLink>}
        </li>
      ))}
    </ol>
  )
}
