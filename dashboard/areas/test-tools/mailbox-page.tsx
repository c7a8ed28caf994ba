import type { MailboxLetter } from '../../../contract/dashboard/test-tools-api.ts'
import { AboutLink } from '../../kit/about-link.tsx'
import { Empty } from '../../kit/empty.tsx'
import { LETTER_NAMES } from '../../kit/letter-names/letter-names.ts'
import { type Column, List } from '../../kit/list.tsx'
import { Page } from '../../kit/page.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { LetterStatus } from './letter-status.tsx'
import { TEST_TEXTS } from './texts/texts.ts'

export default function MailboxPage() {
  const t = useTexts(TEST_TEXTS)
  const names = useTexts(LETTER_NAMES)
  const columns: Column<MailboxLetter>[] = [
    { id: 'subject', header: t.subject, cell: ({ subject }) => subject || t.noSubject },
    { id: 'to', header: t.to, cell: ({ recipient }) => recipient },
    { id: 'date', header: t.date, cell: ({ created }) => <Instant at={created} /> },
    { id: 'status', header: t.status, cell: ({ status }) => <LetterStatus status={status} /> },
    { id: 'kind', header: t.kind, cell: ({ name }) => names[name] },
    { id: 'about', header: t.about, cell: ({ about }) => <AboutLink about={about} /> },
  ]
  return (
    <Page title={t.mailbox} breadcrumbs={[{ label: t.title, to: 'test' }]}>
      <p>{t.mailboxText}</p>
      <List<MailboxLetter>
        name="GET /mailbox"
        caption={t.mailbox}
        columns={columns}
        rowTo={({ id }) => `test/mailbox/${id}`}
        empty={<Empty kind="nothing" title={t.noLetters} text={t.noLettersText} />}
      />
    </Page>
  )
}
