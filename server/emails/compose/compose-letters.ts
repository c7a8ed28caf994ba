import type { Locale } from '../../../contract/payment-page.ts'
import { LOCALES } from '../../../contract/payment-page.ts'
import type { Business } from '../../businesses/business.ts'
import { findBusiness } from '../../businesses/business-queries.ts'
import type { SwitchableLetter } from '../../businesses/letter-settings.ts'
import { findLetterSettings } from '../../businesses/letter-settings-queries.ts'
import { findLogo } from '../../businesses/logo-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import type { ClaimedNotification } from '../../events/notification.ts'
import { finishNotification } from '../../events/notification-queries.ts'
import type { FaultPoints } from '../../lib/fault-points.ts'
import { newId } from '../../lib/ids.ts'
import { invoiceData } from '../invoices/invoice-data.ts'
import { issueInvoice } from '../invoices/invoice-queries.ts'
import type { NewLetter } from '../letter.ts'
import { insertLetters } from '../letter-queries.ts'
import type { LetterFrame } from '../templates/letter-view.ts'
import { letterWords, oneLine } from '../templates/letter-words.ts'
import { renderLetter } from '../templates/render-letter.ts'
import { draftLetters } from './draft-letters.ts'
import type { FactContext, LetterDraft } from './letter-draft.ts'
import { found, type LetterCustomer, type LetterSources } from './letter-sources.ts'

export interface ComposeServices {
  db: Db
  letterSources: LetterSources
  faults: FaultPoints
}

/** A letter that waits for the number of its invoice. */
interface Composed {
  letter: Omit<NewLetter, 'invoiceId'>
  draft: LetterDraft
  customer: LetterCustomer | null
}

/**
 * Writes the letters of a claimed notification, and finishes it in the same transaction: exactly once, whoever else has it.
 *
 * @see LTR-10, LTR-14
 */
export async function composeLetters(services: ComposeServices, notification: ClaimedNotification): Promise<void> {
  const { db, letterSources: sources, faults } = services
  const { businessId } = notification
  const business = found(await findBusiness(db, businessId), 'the business')
  const settings = await findLetterSettings(db, businessId)
  const context: FactContext = { business, settings, sources, notification }
  const drafts = (await draftLetters(context)).filter((draft) => !settings.lettersOff.includes(switchOf(draft)))
  const composed: Composed[] = []
  for (const draft of drafts) composed.push(...(await compose(context, draft)))
  await transaction(db, async (tx) => {
    if (!(await finishNotification(tx, notification))) return
    const letters: NewLetter[] = []
    for (const one of composed) letters.push({ ...one.letter, invoiceId: await invoiceOf(tx, context, one) })
    await insertLetters(tx, letters)
    faults.reach('before:letter_commit')
  })
}

const audienceOf = ({ customerId, person }: LetterDraft) => {
  if (person) return 'person'
  return customerId === null ? 'merchant' : 'customer'
}
const switchOf = (draft: LetterDraft) => `${audienceOf(draft)}.${draft.kind}` as SwitchableLetter

/** One for each recipient; none without one. */
async function compose(context: FactContext, draft: LetterDraft): Promise<Composed[]> {
  const { business, settings, sources, notification } = context
  const { businessId } = notification
  const audience = audienceOf(draft)
  const customer = draft.customerId === null ? null : await sources.customer(businessId, draft.customerId)
  const recipients = recipientsOf(draft, customer, settings.notifiedEmails)
  if (recipients.length === 0) return []
  const locale = localeOf(draft.person?.locale, customer?.locale, business.locale)
  const words = letterWords(locale, business)
  const { supportEmail, supportPhone, brandColor } = business
  const frame: LetterFrame = { audience, logoUrl: sources.logoUrl(business), brandColor, supportEmail, supportPhone }
  const rendered = await renderLetter(words, draft.write(words), frame)
  return recipients.map((recipient) => ({
    draft,
    customer,
    letter: {
      ...rendered,
      businessId,
      id: newId(),
      notificationId: notification.id,
      kind: draft.kind,
      audience,
      recipient,
      senderName: oneLine(settings.senderName),
      replyTo: settings.replyTo,
      locale,
      objectId: draft.objectId,
      createdAt: notification.createdAt,
    },
  }))
}

function recipientsOf(
  { customerId, person }: LetterDraft,
  customer: LetterCustomer | null,
  merchant: readonly string[],
) {
  if (person) return [person.email]
  return customerId === null ? merchant : [customer?.email].filter((one) => one != null)
}

/** The first that is one of ours. */
const localeOf = (...wanted: (string | null | undefined)[]): Locale =>
  wanted.map((one) => LOCALES.find((locale) => locale === one)).find((locale) => locale !== undefined) ?? 'en'

async function invoiceOf(tx: Tx, context: FactContext, { draft, customer }: Composed): Promise<string | null> {
  if (!draft.invoice) return null
  const { business, settings, notification } = context
  const { businessId, createdAt: issuedAt } = notification
  const { subscriptionId, paymentId, source } = draft.invoice
  const logo = business.logoHash === null ? null : await findLogo(tx, businessId)
  const data = invoiceData({ ...source, ...sellerOf(business, settings), customer: personOf(customer) })
  const invoice = await issueInvoice(tx, { businessId, subscriptionId, paymentId, data, logo, issuedAt })
  return invoice.id
}

const personOf = (customer: LetterCustomer | null) => ({ name: customer?.name ?? null, email: customer?.email ?? null })

const sellerOf = (business: Business, { legalName, postalAddress, taxRegistrations }: FactContext['settings']) => ({
  business: { ...business, name: legalName ?? business.name },
  postalAddress,
  taxRegistrations,
})
