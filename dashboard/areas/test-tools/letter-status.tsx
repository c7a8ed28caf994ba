import type { MailboxLetter } from '../../../contract/dashboard/test-tools-api.ts'
import { Status, type Tone } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { TEST_TEXTS } from './texts/texts.ts'

const TONES: Record<MailboxLetter['status'], Tone> = { pending: 'info', sent: 'good', kept: 'plain', failed: 'bad' }

export function LetterStatus({ status }: { status: MailboxLetter['status'] }) {
  const t = useTexts(TEST_TEXTS)
  return <Status tone={TONES[status]}>{t[status]}</Status>
}
