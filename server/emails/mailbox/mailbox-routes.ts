import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/connection.ts'
import type { Family } from '../../http/family.ts'
import { type Access, type Reply, type Route, route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { findLetterOfAny, type LetterReader, listLetters } from '../letter-queries.ts'
import { invoiceAttachment } from '../send/invoice-attachment.ts'
import { mayReadMailbox } from './mailbox-access.ts'
import { letterHtml, letterPage, letterPolicy, listPage, pagePolicy } from './mailbox-page.ts'
import { type ReaderContext, signedInReader } from './mailbox-reader.ts'

const PER_PAGE = 25
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

export interface MailboxServices extends ReaderContext {
  family: Family
  dashboardUrl: string
  /** Whether `TRUSTED_PROXIES` is set. */
  knowsProxies: boolean
  /** Whether letters are sent, too. */
  isSending: boolean
}

/**
 * Staging's letters, for this machine (LTR-15) and for who is signed in (DSH-20). Production has none of these paths.
 */
export function mailboxRoutes(services: MailboxServices): Route[] {
  const { db, family, dashboardUrl, isSending } = services
  const page = { family, access: mailboxAccess(services), browsers: 'anywhere' as const, method: 'GET' as const }
  const paged = (render: (frame: { nonce: string; isSending: boolean }) => string): Reply => {
    const nonce = randomBytes(16).toString('base64')
    return { headers: htmlHeaders(pagePolicy(nonce)), body: render({ nonce, isSending }) }
  }
  return [
    route({
      ...page,
      path: '/mailbox',
      async handle({ query, caller: reader }) {
        const { before } = query as { before?: string }
        const from = isUuid(before) ? before : null
        const found = await listLetters(db, { limit: PER_PAGE + 1, before: from, reader })
        const letters = found.slice(0, PER_PAGE)
        const older = found.length > PER_PAGE ? `/mailbox?before=${letters.at(-1)?.id}` : null
        return paged((frame) => listPage(frame, { letters, isFirst: from === null, older }))
      },
    }),
    route({
      ...page,
      path: '/mailbox/{letter_id}',
      async handle({ params, caller }) {
        const letter = await letterOf(db, params, caller)
        return paged((frame) => letterPage(frame, letter))
      },
    }),
    route({
      ...page,
      path: '/mailbox/{letter_id}/html',
      async handle({ params, caller }) {
        const body = letterHtml(await letterOf(db, params, caller))
        return { headers: htmlHeaders(letterPolicy(dashboardUrl)), body }
      },
    }),
    route({
      ...page,
      path: '/mailbox/{letter_id}/invoice.pdf',
      async handle({ params, caller }) {
        const { invoiceId, ...letter } = await letterOf(db, params, caller)
        if (invoiceId === null) throw new ApiError('not_found', { message: 'This letter has no invoice' })
        const { fileName, mediaType, content } = await invoiceAttachment(db, { ...letter, invoiceId })
        const disposition = `inline; filename="${fileName}"`
        return { headers: { 'content-type': mediaType, 'content-disposition': disposition }, body: content }
      },
    }),
  ]
}

/** @returns `null` for this machine, which reads all; others get the same response as for a path that does not exist */
const mailboxAccess = (place: MailboxServices): Access<LetterReader | null> => ({
  name: 'public',
  async check({ ip, headers }: FastifyRequest) {
    const isForwarded = FORWARDING_HEADERS.some((name) => headers[name] !== undefined)
    if (mayReadMailbox({ ip, host: headers.host, isForwarded }, place)) return null
    const reader = await signedInReader(place, headers.cookie)
    if (!reader) throw new ApiError('not_found', { message: 'No such path' })
    return reader
  },
})

async function letterOf(db: Db, { letter_id: id }: Record<string, string>, reader: LetterReader | null) {
  const letter = isUuid(id) ? await findLetterOfAny(db, id, reader) : null
  if (!letter) throw new ApiError('not_found', { message: 'No such letter' })
  return letter
}

const htmlHeaders = (policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
})
