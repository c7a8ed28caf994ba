import type { SessionAttempt, SessionRow } from '../../../contract/dashboard/sessions-api.ts'
import { Status, type Tone } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { SESSION_TEXTS } from './texts/texts.ts'

const TONES: Record<SessionRow['status'], Tone> = {
  PENDING: 'info',
  COMPLETED: 'good',
  EXPIRED: 'plain',
  CANCELLED: 'plain',
  FAILED: 'bad',
}

interface Shown<Of> {
  status: Of
  /** Whether the card is only verified, so that no text may say that it was paid. */
  chargesNothing: boolean
}

export function SessionStatus({ status, chargesNothing }: Shown<SessionRow['status']>) {
  const t = useTexts(SESSION_TEXTS)
  return <Status tone={TONES[status]}>{status === 'COMPLETED' && chargesNothing ? t.cardVerified : t[status]}</Status>
}

const PAYMENT_TONES: Record<SessionRow['payment_status'], Tone> = { UNPAID: 'plain', PAID: 'good', FAILED: 'bad' }

/** Whether money was taken, in addition to the status of the session itself. */
export function PaymentStatus({ status, chargesNothing }: Shown<SessionRow['payment_status']>) {
  const t = useTexts(SESSION_TEXTS)
  const text = status === 'PAID' && chargesNothing ? t.nothingCharged : t[`payment_${status}`]
  return <Status tone={PAYMENT_TONES[status]}>{text}</Status>
}

const OUTCOME_TONES: Record<SessionAttempt['outcome'], Tone> = {
  approved: 'good',
  declined: 'bad',
  failed: 'bad',
  in_doubt: 'warn',
  reversing: 'warn',
  reversed: 'plain',
}

export function AttemptOutcome({ outcome }: { outcome: SessionAttempt['outcome'] }) {
  const t = useTexts(SESSION_TEXTS)
  return <Status tone={OUTCOME_TONES[outcome]}>{t[outcome]}</Status>
}
