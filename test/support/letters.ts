import { linkOfLetter, withLink } from '../../server/emails/letter-link.ts'
import type { TestService } from './service.ts'

export interface WrittenLetter {
  id: string
  kind: string
  audience: string
  recipient: string
  sender_name: string
  reply_to: string | null
  locale: string
  subject: string
  html: string
  body_text: string
  invoice_id: string | null
  object_id: string | null
  customer_id: string | null
  notification_id: string
  created_at: Date
}

/** Returns all letters of a service, oldest first, as their recipients read them. */
export async function lettersOf({ app }: Pick<TestService, 'app'>): Promise<WrittenLetter[]> {
  const rows = await app.services.db.selectFrom('letter').selectAll().orderBy('id').execute()
  return rows.map((row) => {
    const { business_id: businessId, id, link_id: linkId, sealed_link: sealedLink, html, body_text: text } = row
    const url = linkOfLetter(app.services, { businessId, id, linkId, sealedLink })
    const read = withLink({ html, text }, url)
    return { ...row, html: read.html, body_text: read.text }
  })
}

/** Sets the letters to the merchant and to its customers. */
export async function setLetters(
  { app, demo }: Pick<TestService, 'app' | 'demo'>,
  settings: Partial<Record<'name' | 'sender_name' | 'locale' | 'support_email', string>> & {
    notified_emails?: string[]
    letters_off?: string[]
    after_last_retry?: 'keep' | 'pause' | 'cancel'
  },
): Promise<void> {
  await app.services.db.updateTable('business').set(settings).where('id', '=', demo.business_id).execute()
}

/** Returns all invoices of a service, by number. */
export function invoicesOf({ app }: Pick<TestService, 'app'>) {
  return app.services.db.selectFrom('invoice').selectAll().orderBy('number').execute()
}
