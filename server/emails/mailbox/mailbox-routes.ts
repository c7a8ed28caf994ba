import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../db/connection.ts'
import type { Family } from '../../http/family.ts'
import { type Access, type Reply, type Route, route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import { findLetterOfAny, listLetters } from '../letter-queries.ts'
import { invoiceAttachment } from '../send/invoice-attachment.ts'
import { mayReadMailbox } from './mailbox-access.ts'
import { letterHtml, letterPage, letterPolicy, listPage, pagePolicy } from './mailbox-page.ts'

const PER_PAGE = 25
const FORWARDING_HEADERS = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

export interface MailboxServices {
  db: Db
  family: Family
  dashboardUrl: string
  /** Whether `TRUSTED_PROXIES` is set. */
  knowsProxies: boolean
  /** Whether letters are sent, too. */
  isSending: boolean
}

/** Staging's letters, for people on the same machine (LTR-15). Production has none of these paths. */
export function mailboxRoutes(services: MailboxServices): Route[] {
  const { db, family, dashboardUrl, isSending } = services
  const page = { family, access: fromThisMachine(services), browsers: 'anywhere' as const, method: 'GET' as const }
  const paged = (render: (frame: { nonce: string; isSending: boolean }) => string): Reply => {
    const nonce = randomBytes(16).toString('base64')
    return { headers: htmlHeaders(pagePolicy(nonce)), body: render({ nonce, isSending }) }
  }
  return [
    route({
      ...page,
      path: '/mailbox',
      async handle({ query }) {
        const { before } = query as { before?: string }
        const from = isUuid(before) ? before : null
        const found = await listLetters(db, { limit: PER_PAGE + 1, before: from })
        const letters = found.slice(0, PER_PAGE)
        const older = found.length > PER_PAGE ? `/mailbox?before=${letters.at(-1)?.id}` : null
        return paged((frame) => listPage(frame, { letters, isFirst: from === null, older }))
      },
    }),
    route({
      ...page,
      path: '/mailbox/{letter_id}',
      async handle({ params }) {
        const letter = await letterOf(db, params)
        return paged((frame) => letterPage(frame, letter))
      },
    }),
    route({
      ...page,
      path: '/mailbox/{letter_id}/html',
      async handle({ params }) {
        return { headers: htmlHeaders(letterPolicy(dashboardUrl)), body: letterHtml(await letterOf(db, params)) }
      },
    }),
    route({
      ...page,
      path: '/mailbox/{letter_id}/invoice.pdf',
      async handle({ params }) {
        const { invoiceId, ...letter } = await letterOf(db, params)
        if (invoiceId === null) throw new ApiError('not_found', { message: 'This letter has no invoice' })
        const { fileName, mediaType, content } = await invoiceAttachment(db, { ...letter, invoiceId })
        const disposition = `inline; filename="${fileName}"`
        return { headers: { 'content-type': mediaType, 'content-disposition': disposition }, body: content }
      },
    }),
  ]
}

/** Others get the same response as for a path that does not exist. */
const fromThisMachine = (place: MailboxServices): Access<null> => ({
  name: 'public',
  check({ ip, headers }: FastifyRequest) {
    const isForwarded = FORWARDING_HEADERS.some((name) => headers[name] !== undefined)
    if (!mayReadMailbox({ ip, host: headers.host, isForwarded }, place)) {
      throw new ApiError('not_found', { message: 'No such path' })
    }
    return null
  },
})

async function letterOf(db: Db, { letter_id: id }: Record<string, string>) {
  const letter = isUuid(id) ? await findLetterOfAny(db, id) : null
  if (!letter) throw new ApiError('not_found', { message: 'No such letter' })
  return letter
}

const htmlHeaders = (policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
})
