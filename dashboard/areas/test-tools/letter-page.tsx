import type { MailboxLetterDetails } from '../../../contract/dashboard/test-tools-api.ts'
import { AboutLink } from '../../kit/about-link.tsx'
import { pathIn, useCall } from '../../kit/call.ts'
import { Card, Fields } from '../../kit/detail.tsx'
import { DownloadButton } from '../../kit/download-button.tsx'
import { LETTER_NAMES } from '../../kit/letter-names/letter-names.ts'
import { LinkOnDemand } from '../../kit/link-on-demand.tsx'
import { usePathParam } from '../../kit/links.tsx'
import { useBusiness } from '../../kit/me.ts'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { ResendLetter } from '../../kit/resend-letter.tsx'
import { ScrollingText } from '../../kit/scrolling.tsx'
import { useLocale, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { LetterStatus } from './letter-status.tsx'
import { TEST_TEXTS } from './texts/texts.ts'

export default function LetterPage() {
  const t = useTexts(TEST_TEXTS)
  const id = usePathParam('id')
  const read = useRead('GET /mailbox/{id}', { params: { id } })
  const letter = read.data
  return (
    <Page
      title={letter ? letter.subject || t.noSubject : t.mailbox}
      actions={letter && <ResendLetter letter={letter} shownBy="GET /mailbox" place="page" />}
      badge={letter && <LetterStatus status={letter.status} />}
      breadcrumbs={[
        { label: t.title, to: 'test' },
        { label: t.mailbox, to: 'test/mailbox' },
      ]}
    >
      {read.error && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {letter && <Letter letter={letter} />}
    </Page>
  )
}

function Letter({ letter }: { letter: MailboxLetterDetails }) {
  const t = useTexts(TEST_TEXTS)
  const call = useCall()
  const locale = useLocale()
  const names = useTexts(LETTER_NAMES)
  const { id: businessId } = useBusiness()
  return (
    <>
      <Card title={t.details}>
        <Fields
          items={[
            [t.sender, letter.sender_name],
            [t.to, letter.recipient],
            [t.replyTo, letter.reply_to],
            [t.date, <Instant key="date" at={letter.created} />],
            [t.kind, names[letter.name]],
            [t.about, letter.about && <AboutLink key="about" about={letter.about} />],
            [t.language, languageName(letter.locale, locale)],
            [t.lastError, letter.last_error],
            [t.invoice, letter.has_invoice ? <InvoiceButton key="invoice" id={letter.id} /> : null],
          ]}
        />
      </Card>
      {letter.has_link && (
        <Card title={t.letterLink}>
          <LinkOnDemand
            label={t.letterLink}
            show={() => call('POST /mailbox/{id}/show_link', { params: { id: letter.id } })}
          />
        </Card>
      )}
      <Card title={t.asHtml}>
        <iframe
          className="letter"
          title={t.asHtml}
          src={pathIn(businessId, '/mailbox/{id}/html', { id: letter.id })}
          sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
        />
      </Card>
      <Card title={t.asText}>
        <ScrollingText className="lines">{letter.text}</ScrollingText>
      </Card>
    </>
  )
}

/** Returns the name of a language, such as `French`, in the language of the page. */
const languageName = (of: string, locale: string) => new Intl.DisplayNames(locale, { type: 'language' }).of(of)

function InvoiceButton({ id }: { id: string }) {
  const t = useTexts(TEST_TEXTS)
  return (
    <DownloadButton name="GET /mailbox/{id}/invoice.pdf" options={{ params: { id } }} fileName={`invoice-${id}.pdf`}>
      {t.downloadInvoice}
    </DownloadButton>
  )
}
