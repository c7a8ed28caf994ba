import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { isMailboxKey } from '../../access/shared/mailbox-key.ts'
import type { Family } from '../../http/family.ts'
import { type Access, type Reply, type Route, route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { type LinkServices, linkOfLetter, withLink } from '../letter-link.ts'
import { findLetterOfAny, type LetterReader, listLetters } from '../letter-queries.ts'
import { invoiceAttachment } from '../send/invoice-attachment.ts'
import { mayReadMailbox } from './mailbox-access.ts'
import { letterHtml, letterPage, letterPolicy, listPage, type MailboxFrame, pagePolicy } from './mailbox-page.ts'
import { type ReaderContext, signedInReader } from './mailbox-reader.ts'

const PER_PAGE = 25
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

export interface MailboxServices extends ReaderContext, LinkServices {
  family: Family
  dashboardUrl: string
  /** Whether `TRUSTED_PROXIES` is set. */
  knowsProxies: boolean
  /** Whether letters are also sent. */
  isSending: boolean
}

/** What callers on this machine read without the key: letters to payers and merchants. */
const WITHOUT_KEY: LetterReader = { email: null, businessIds: null }

/**
 * Routes of staging's mailbox, for this machine (LTR-15) and for people who are signed in (DSH-20). Production has none
 * of these paths.
 */
export function mailboxRoutes(services: MailboxServices): Route[] {
  const { db, keyring, family, dashboardUrl, isSending } = services
  const page = { family, access: mailboxAccess(services), browsers: 'anywhere' as const, method: 'GET' as const }
  const paged = (reader: LetterReader | null, render: (frame: MailboxFrame) => string): Reply => {
    const frame = { nonce: randomBytes(16).toString('base64'), isSending, hidesPeople: reader === WITHOUT_KEY }
    return { headers: htmlHeaders(pagePolicy(frame.nonce)), body: render(frame) }
  }
  return [
    route({
      ...page,
      path: '/mailbox',
      async handle({ query, caller: reader }) {
        const { before, key } = query as Record<string, string | undefined>
        if (key !== undefined && isMailboxKey(keyring, key)) return withoutKeyInAddress(dashboardUrl, key)
        const from = isUuid(before) ? before : null
        const found = await listLetters(db, { limit: PER_PAGE + 1, before: from, reader })
        const letters = found.slice(0, PER_PAGE)
        const older = found.length > PER_PAGE ? `/mailbox?before=${letters.at(-1)?.id}` : null
        return paged(reader, (frame) => listPage(frame, { letters, isFirst: from === null, older }))
      },
    }),
    route({
      ...page,
      path: '/mailbox/{letter_id}',
      async handle({ params, caller }) {
        const letter = await letterOf(services, params, caller)
        return paged(caller, (frame) => letterPage(frame, letter))
      },
    }),
    route({
      ...page,
      path: '/mailbox/{letter_id}/html',
      async handle({ params, caller }) {
        const body = letterHtml(await letterOf(services, params, caller))
        return { headers: htmlHeaders(letterPolicy(dashboardUrl)), body }
      },
    }),
    route({
      ...page,
      path: '/mailbox/{letter_id}/invoice.pdf',
      async handle({ params, caller }) {
        const { invoiceId, ...letter } = await letterOf(services, params, caller)
        if (invoiceId === null) throw new ApiError('not_found', { message: 'This letter has no invoice' })
        const { fileName, mediaType, content } = await invoiceAttachment(db, { ...letter, invoiceId })
        const disposition = `inline; filename="${fileName}"`
        return { headers: { 'content-type': mediaType, 'content-disposition': disposition }, body: content }
      },
    }),
  ]
}

/**
 * @returns the reader; `null`, which reads everything, for a caller on this machine with the key of this start. Others
 *   get the same response as for a path that does not exist.
 */
const mailboxAccess = (place: MailboxServices): Access<LetterReader | null> => ({
  name: 'public',
  async check({ ip, headers, query }: FastifyRequest) {
    const isForwarded = FORWARDING_HEADERS.some((name) => headers[name] !== undefined)
    if (mayReadMailbox({ ip, host: headers.host, isForwarded }, place)) {
      const given = [(query as { key?: unknown }).key, cookieOf(headers.cookie)]
      return given.some((key) => typeof key === 'string' && isMailboxKey(place.keyring, key)) ? null : WITHOUT_KEY
    }
    const reader = await signedInReader(place, headers.cookie)
    if (!reader) throw new ApiError('not_found', { message: 'No such path' })
    return reader
  },
})

/**
 * Withholds the links to customers from people who are signed in: they get them in the dashboard, where the audit log
 * records it (DSH-110).
 */
async function letterOf(
  services: MailboxServices,
  { letter_id: id }: Record<string, string>,
  reader: LetterReader | null,
) {
  const letter = isUuid(id) ? await findLetterOfAny(services.db, id, reader) : null
  if (!letter) throw new ApiError('not_found', { message: 'No such letter' })
  const isShown = reader === null || reader === WITHOUT_KEY || letter.audience === 'person'
  return withLink(letter, isShown ? linkOfLetter(services, letter) : null)
}

const COOKIE = 'mailbox-key'

const cookieOf = (header = '') =>
  header
    .split(/; */)
    .find((part) => part.startsWith(`${COOKIE}=`))
    ?.slice(COOKIE.length + 1)

/** Moves a valid key from the address to a cookie, so that it is neither in copied addresses nor in the history. */
function withoutKeyInAddress(dashboardUrl: string, key: string): Reply {
  const secure = dashboardUrl.startsWith('https:') ? '; Secure' : ''
  const cookie = `${COOKIE}=${key}; Path=/mailbox; HttpOnly; SameSite=Strict${secure}`
  return { status: 303, headers: { location: '/mailbox', 'set-cookie': cookie }, body: '' }
}

const htmlHeaders = (policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
})
