import type { SwitchableLetter } from '../../../contract/letters.ts'
import type { Locale } from '../../../contract/payment-page.ts'
import { LOCALES } from '../../../contract/payment-page.ts'
import type { Business } from '../../businesses/business.ts'
import { findBusinessWithLetterSettings } from '../../businesses/letter-settings-queries.ts'
import { findLogo } from '../../businesses/logo-queries.ts'
import type { Db } from '../../db/connection.ts'
import { type Tx, transaction } from '../../db/transaction.ts'
import type { ClaimedNotification } from '../../events/notification.ts'
import { finishNotifications } from '../../events/notification-queries.ts'
import type { FaultPoints } from '../../lib/fault-points.ts'
import { newId } from '../../lib/ids.ts'
import type { Keyring } from '../../lib/keyring.ts'
import type { NewInvoice } from '../invoices/invoice.ts'
import { invoiceData } from '../invoices/invoice-data.ts'
import { issueInvoices } from '../invoices/invoice-queries.ts'
import type { NewLetter } from '../letter.ts'
import { sealLink } from '../letter-link.ts'
import { insertLetters } from '../letter-queries.ts'
import type { LetterFrame } from '../templates/letter-view.ts'
import { letterWords, oneLine } from '../templates/letter-words.ts'
import { renderLetter } from '../templates/render-letter.ts'
import { draftLetters } from './draft-letters.ts'
import type { DraftInvoice, FactContext, LetterDraft } from './letter-draft.ts'
import { found, type LetterCustomer, type NewCardLink, type OpenLetterSources } from './letter-sources.ts'

export interface ComposeServices {
  db: Db
  letterSources: OpenLetterSources
  keyring: Keyring
  faults: FaultPoints
}

/** Letter that does not have its id and invoice yet. */
interface Composed {
  letter: Omit<NewLetter, 'id' | 'invoiceId' | 'sealedLink'>
  /** Link of a person; `null` for any other letter. */
  secretUrl: string | null
  invoice: Omit<NewInvoice, 'businessId' | 'logo'> | null
  /** Card link that is recorded with the letter; `null` if there is none. */
  cardLink: NewCardLink | null
}

export interface FailedNotification {
  notification: ClaimedNotification
  error: unknown
}

/**
 * Writes the letters of claimed notifications of one business, in order, and finishes the notifications in the same
 * transaction: exactly once, whichever worker claims them. Everything they need is read together.
 *
 * @returns notifications whose letters cannot be composed; they stay unchanged
 * @throws if nothing was written
 * @see LTR-10, LTR-14
 */
export async function composeLetters(
  services: ComposeServices,
  businessId: string,
  notifications: readonly ClaimedNotification[],
): Promise<FailedNotification[]> {
  const { db, letterSources } = services
  const shared = {
    ...found(await findBusinessWithLetterSettings(db, businessId), 'the business'),
    sources: letterSources(businessId),
    keyring: services.keyring,
  }
  const ready = new Map<ClaimedNotification, Composed[]>()
  const failed: FailedNotification[] = []
  const attempts = await Promise.allSettled(notifications.map((one) => composeOne({ ...shared, notification: one })))
  for (const [index, notification] of notifications.entries()) {
    const attempt = attempts[index]
    if (attempt?.status === 'fulfilled') ready.set(notification, attempt.value)
    else failed.push({ notification, error: attempt?.reason })
  }
  await transaction(db, (tx) => writeLetters({ ...services, ...shared }, tx, ready))
  return failed
}

type Composing = Pick<FactContext, 'business' | 'sources'>

async function writeLetters(
  { faults, keyring, sources, business: { id: businessId, logoHash } }: ComposeServices & Composing,
  tx: Tx,
  ready: ReadonlyMap<ClaimedNotification, readonly Composed[]>,
): Promise<void> {
  const finished = await finishNotifications(tx, businessId, [...ready.keys()])
  const composed = [...ready].flatMap(([{ id }, letters]) => (finished.has(id) ? letters : []))
  const wanted = composed.flatMap(({ invoice }) => invoice ?? [])
  const logo = wanted.length === 0 || logoHash === null ? null : await findLogo(tx, businessId)
  const issued = await issueInvoices(
    tx,
    businessId,
    wanted.map((invoice) => ({ ...invoice, logo })),
  )
  await sources.recordCardLinks(
    tx,
    composed.flatMap(({ cardLink }) => cardLink ?? []),
  )
  const letters = composed.map(({ letter, invoice, secretUrl }) => {
    const id = newId()
    const sealedLink = secretUrl === null ? null : sealLink(keyring, { businessId, id }, secretUrl)
    return { ...letter, id, sealedLink, invoiceId: invoice && (issued[wanted.indexOf(invoice)]?.id ?? null) }
  })
  await insertLetters(tx, letters)
  faults.reach('before:letter_commit')
}

/** Composes the letters of one notification, except those that the merchant has switched off. */
async function composeOne(context: FactContext): Promise<Composed[]> {
  const drafts = (await draftLetters(context)).filter((draft) => !context.settings.lettersOff.includes(switchOf(draft)))
  return (await Promise.all(drafts.map((draft) => compose(context, draft)))).flat()
}

const audienceOf = ({ customerId, person }: LetterDraft) => {
  if (person) return 'person'
  return customerId === null ? 'merchant' : 'customer'
}
const switchOf = (draft: LetterDraft) => `${audienceOf(draft)}.${draft.kind}` as SwitchableLetter

/** Composes one letter for each recipient of a draft. */
async function compose(context: FactContext, draft: LetterDraft): Promise<Composed[]> {
  const { business, settings, sources, notification } = context
  const audience = audienceOf(draft)
  const customer = draft.customerId === null ? null : await sources.customer(draft.customerId)
  const recipients = recipientsOf(draft, customer, settings.notifiedEmails)
  if (recipients.length === 0) return []
  const locale = localeOf(draft.person?.locale, customer?.locale, business.locale)
  const words = letterWords(locale, business)
  const { supportEmail, supportPhone, brandColor } = business
  const frame: LetterFrame = { audience, logoUrl: sources.logoUrl(business), brandColor, supportEmail, supportPhone }
  const rendered = await renderLetter(words, draft.write(words), frame)
  const { link } = draft
  const invoice = draft.invoice ? newInvoice(context, draft.invoice, customer) : null
  return recipients.map((recipient) => ({
    invoice,
    secretUrl: link && 'url' in link ? link.url : null,
    cardLink: link && 'made' in link ? link.made : null,
    letter: {
      ...rendered,
      businessId: business.id,
      notificationId: notification.id,
      kind: draft.kind,
      audience,
      recipient,
      senderName: oneLine(settings.senderName),
      replyTo: settings.replyTo,
      locale,
      objectId: draft.objectId,
      customerId: draft.customerId,
      linkId: linkIdOf(link),
      createdAt: notification.createdAt,
    },
  }))
}

function linkIdOf(link: LetterDraft['link']): string | null {
  if (link && 'made' in link) return link.made.id
  return link && 'id' in link ? link.id : null
}

function recipientsOf(
  { customerId, person }: LetterDraft,
  customer: LetterCustomer | null,
  merchant: readonly string[],
) {
  if (person) return [person.email]
  return customerId === null ? merchant : [customer?.email].filter((one) => one != null)
}

/** Returns the first of the wanted languages that is supported; English if none is. */
const localeOf = (...wanted: (string | null | undefined)[]): Locale =>
  wanted.map((one) => LOCALES.find((locale) => locale === one)).find((locale) => locale !== undefined) ?? 'en'

function newInvoice(
  { business, settings, notification }: FactContext,
  { subscriptionId, paymentId, source }: DraftInvoice,
  customer: LetterCustomer | null,
): Omit<NewInvoice, 'businessId' | 'logo'> {
  const data = invoiceData({ ...source, ...sellerOf(business, settings), customer: personOf(customer) })
  return { subscriptionId, paymentId, data, issuedAt: notification.createdAt }
}

const personOf = (customer: LetterCustomer | null) => ({ name: customer?.name ?? null, email: customer?.email ?? null })

const sellerOf = (business: Business, { legalName, postalAddress, taxRegistrations }: FactContext['settings']) => ({
  business: { ...business, name: legalName ?? business.name },
  postalAddress,
  taxRegistrations,
})
