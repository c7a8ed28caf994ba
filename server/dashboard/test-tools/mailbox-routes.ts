import type { About } from '../../../contract/dashboard/about.ts'
import { TOTAL_MAX } from '../../../contract/dashboard/list.ts'
import {
  type MailboxLetter,
  type MailboxLetterDetails,
  MailboxQuery,
} from '../../../contract/dashboard/test-tools-api.ts'
import { type LetterKind, letterName } from '../../../contract/letters.ts'
import type { Permission } from '../../../contract/permissions.ts'
import type { Member } from '../../access/sessions/session.ts'
import type { Db } from '../../db/connection.ts'
import type { Letter } from '../../emails/letter.ts'
import { hasLink, type LinkServices, linkOfLetter, withLink } from '../../emails/letter-link.ts'
import { countLettersOf, findLetterOfAny, listLettersOf } from '../../emails/letter-queries.ts'
import { letterHtml, letterPolicy } from '../../emails/mailbox/mailbox-page.ts'
import { invoiceAttachment } from '../../emails/send/invoice-attachment.ts'
import type { Route } from '../../http/route.ts'
import { epochSeconds } from '../../lib/clock.ts'
import { ApiError } from '../../lib/errors.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { findAbout } from '../letter-about-queries.ts'
import { dashboardList } from '../list-object.ts'

interface MailboxServices extends LinkServices {
  dashboardUrl: string
}

/** Returns the routes for the letters of one business, including those that were sent (LTR-15). */
export function mailboxRoutes(dashboard: DashboardRoutes, services: MailboxServices): Route[] {
  return [
    ...listRoutes(dashboard),
    ...documentRoutes(dashboard, services.dashboardUrl),
    showLinkRoute(dashboard, services),
  ]
}

function listRoutes(dashboard: DashboardRoutes): Route[] {
  const { db } = dashboard
  return [
    dashboard.read('GET /mailbox', {
      permission: 'test.use',
      query: MailboxQuery,
      async handle({ member, query }) {
        const reader = { businessId: member.business.id, email: member.session.email }
        const [page, counted] = await Promise.all([
          listLettersOf(db, reader, query),
          countLettersOf(db, reader, TOTAL_MAX + 1),
        ])
        const ids = page.rows.map(({ id }) => id)
        const about = await findAbout(db, member.business.id, ids)
        return { body: dashboardList(page, counted, (letter) => mailboxLetter(letter, about)) }
      },
    }),
    dashboard.read('GET /mailbox/{id}', {
      permission: 'test.use',
      async handle({ member, params: { id = '' } }) {
        return { body: letterDetails(await letterOf(db, member, id), await findAbout(db, member.business.id, [id])) }
      },
    }),
  ]
}

/** Returns the routes that show a letter in a frame, and open it as a file. */
function documentRoutes(dashboard: DashboardRoutes, dashboardUrl: string): Route[] {
  const { db } = dashboard
  return [
    dashboard.read('GET /mailbox/{id}/html', {
      permission: 'test.use',
      async handle({ member, params: { id = '' } }) {
        const letter = await letterOf(db, member, id)
        const headers = {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': letterPolicy(dashboardUrl),
        }
        return { headers, body: letterHtml(letter) }
      },
    }),
    dashboard.read('GET /mailbox/{id}/invoice.pdf', {
      permission: 'test.use',
      async handle({ member, params: { id = '' } }) {
        const { invoiceId, ...letter } = await letterOf(db, member, id)
        if (invoiceId === null) throw new ApiError('not_found', { message: 'This letter has no invoice' })
        const { fileName, mediaType, content } = await invoiceAttachment(db, { ...letter, invoiceId })
        const disposition = `attachment; filename="${fileName}"`
        return { headers: { 'content-type': mediaType, 'content-disposition': disposition }, body: content }
      },
    }),
  ]
}

/** Permission for what a letter lets its reader do, unless it is for that person only. */
const PERMISSIONS: Partial<Record<LetterKind, Permission>> = {
  contract_link: 'contracts.write',
  card_request: 'customers.write',
}

function showLinkRoute(dashboard: DashboardRoutes, services: MailboxServices): Route {
  return dashboard.write('POST /mailbox/{id}/show_link', {
    permission: 'test.use',
    action: 'letter.show_link',
    async prepare({ member, params: { id = '' } }) {
      const letter = await findOne(dashboard.db, member, id)
      const url = linkOfLetter(services, letter)
      if (url === null) throw new ApiError('conflict', { message: 'The letter has no link any more' })
      if (letter.audience !== 'person') {
        await dashboard.requirePermission(member, PERMISSIONS[letter.kind] ?? 'subscriptions.write')
        // The page of a waiting subscription begins with its contract.
        if (letter.kind === 'subscription_link') await dashboard.requirePermission(member, 'contracts.write')
      }
      return url
    },
    handle: async ({ params: { id = '' } }, _tx, url: string) => ({
      body: { object: 'link' as const, url },
      audit: { object: { type: 'letter', id } },
    }),
  })
}

/** Returns the letter without its link. */
const letterOf = async (db: Db, member: Member, id: string): Promise<Letter> =>
  withLink(await findOne(db, member, id), null)

async function findOne(db: Db, { business, session }: Member, id: string): Promise<Letter> {
  const letter = await findLetterOfAny(db, id, { businessIds: [business.id], email: session.email })
  if (!letter) throw new ApiError('not_found', { message: 'No such letter' })
  return letter
}

type Summary = Pick<Letter, 'id' | 'kind' | 'audience' | 'recipient' | 'subject' | 'status' | 'createdAt'>

const mailboxLetter = (
  { id, kind, audience, recipient, subject, status, createdAt }: Summary,
  about: ReadonlyMap<string, About>,
): MailboxLetter => ({
  id,
  object: 'letter',
  kind,
  audience,
  name: letterName({ kind, audience }),
  recipient,
  subject,
  status,
  created: epochSeconds(createdAt),
  about: about.get(id) ?? null,
})

const letterDetails = (letter: Letter, about: ReadonlyMap<string, About>): MailboxLetterDetails => ({
  ...mailboxLetter(letter, about),
  sender_name: letter.senderName,
  reply_to: letter.replyTo,
  locale: letter.locale,
  text: letter.text,
  last_error: letter.lastError,
  has_invoice: letter.invoiceId !== null,
  has_link: hasLink(letter),
})
