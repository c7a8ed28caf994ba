import type { ReactNode } from 'react'
import type { Home } from '../../../contract/dashboard/home-api.ts'
import { Card } from '../../kit/detail.tsx'
import { AppLink } from '../../kit/links.tsx'
import { useMay, useMe } from '../../kit/me.ts'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { TEXTS } from './texts/texts.ts'

/** Instead of empty charts: how a business gets its first payment. */
export function FirstSteps({ steps }: { steps: NonNullable<Home['first_steps']> }) {
  const t = useTexts(TEXTS)
  const { environment } = useMe()
  const [mayCreate, mayTest] = [useMay('sessions.write'), useMay('test.use')]
  const { has_session: hasSession } = steps
  return (
    <Card title={t.stepsTitle}>
      <ol className="stack">
        <Step title={t.stepLink} text={t.stepLinkText} isDone={hasSession}>
          {mayCreate && <AppLink to="sessions/new">{t.newLink}</AppLink>}
        </Step>
        <Step title={t.stepPay} text={environment === 'staging' ? t.stepPayTest : t.stepPayLive} isDone={false}>
          {hasSession && <AppLink to="sessions">{t.sessionsPage}</AppLink>}
        </Step>
        <Step title={t.stepSee} text={t.stepSeeText} isDone={false} />
      </ol>
      {mayTest && environment === 'staging' && (
        <p>
          {t.lookAround} <AppLink to="test">{t.sampleData}</AppLink>
        </p>
      )}
    </Card>
  )
}

interface StepProps {
  title: string
  text: string
  isDone: boolean
  children?: ReactNode
}

function Step({ title, text, isDone, children }: StepProps) {
  const t = useTexts(TEXTS)
  return (
    <li>
      <strong>{title}</strong> <Status tone={isDone ? 'good' : 'plain'}>{isDone ? t.stepDone : t.stepOpen}</Status>
      <div className="dimmed">{text}</div>
      {children}
    </li>
  )
}
