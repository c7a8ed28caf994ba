import type { CustomerLetter } from '../../../contract/dashboard/customers-api.ts'
import { AboutLink } from '../../kit/about-link.tsx'
import type { Column } from '../../kit/list.tsx'
import { ResendLetter } from '../../kit/resend-letter.tsx'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

/**
 * Returns the columns of a customer's letters.
 *
 * @param shownBy the calls that read a letter again after it was resent
 */
export function useLetterColumns(
  shownBy: 'GET /customers/{id}' | 'GET /customers/{id}/letters',
): Column<CustomerLetter>[] {
  const t = useTexts(CUSTOMER_TEXTS)
  return [
    { id: 'when', header: t.when, cell: ({ created }) => <Instant at={created} /> },
    { id: 'subject', header: t.subject, cell: ({ subject }) => subject },
    { id: 'about', header: t.about, cell: ({ about }) => <AboutLink about={isTheirs(about) ? null : about} /> },
    { id: 'status', header: t.status, cell: ({ status }) => <LetterState status={status} /> },
    { id: 'recipient', header: t.recipient, cell: ({ recipient }) => recipient },
    { id: 'actions', header: t.actions, cell: (letter) => <ResendLetter letter={letter} shownBy={shownBy} /> },
  ]
}

/** Whether a letter is about the customer, on whose page the letters are shown. */
const isTheirs = (about: CustomerLetter['about']) => about?.type === 'customer'

function LetterState({ status }: Pick<CustomerLetter, 'status'>) {
  const t = useTexts(CUSTOMER_TEXTS)
  if (status === 'failed') return <Status tone="bad">{t.letterFailed}</Status>
  if (status === 'sent') return <Status tone="good">{t.sent}</Status>
  return <Status tone={status === 'pending' ? 'info' : 'plain'}>{t[status]}</Status>
}
