import { LetterPreviewQuery, LetterTest } from '../../../contract/dashboard/settings-api.ts'
import { type LetterKind, SWITCHABLE_LETTERS } from '../../../contract/letters.ts'
import type { Locale } from '../../../contract/payment-page.ts'
import type { Business } from '../../businesses/business.ts'
import { businessNow } from '../../businesses/business.ts'
import { findLetterSettings } from '../../businesses/letter-settings-queries.ts'
import { logoUrl } from '../../checkout/form/logo-route.ts'
import type { Links } from '../../checkout/sessions/session-view.ts'
import { insertLetters } from '../../emails/letter-queries.ts'
import { letterHtml, letterPolicy } from '../../emails/mailbox/mailbox-page.ts'
import type { RenderedLetter } from '../../emails/templates/letter-view.ts'
import { letterWords } from '../../emails/templates/letter-words.ts'
import { renderLetter } from '../../emails/templates/render-letter.ts'
import { sampleLetters } from '../../emails/templates/sample-letters.ts'
import type { LetterLimit } from '../../events/letter-limit.ts'
import type { Route } from '../../http/route.ts'
import { invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'

/** Returns the routes that show letters with made-up facts, as the business would send them. */
export function letterRoutes(
  dashboard: DashboardRoutes,
  { links, letterLimit }: { links: Links; letterLimit: LetterLimit },
): Route[] {
  return [
    dashboard.read('GET /settings/letters/preview', {
      permission: 'settings.read',
      query: LetterPreviewQuery,
      async handle({ member, query: { letter, locale } }) {
        const { subject, html, text } = await sampleOf(member.business, { letter, locale }, links)
        return { body: { object: 'letter_preview' as const, subject, html, text } }
      },
    }),
    dashboard.read('GET /settings/letters/preview/html', {
      permission: 'settings.read',
      query: LetterPreviewQuery,
      async handle({ member, query }) {
        const letter = await sampleOf(member.business, query, links)
        const headers = {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': letterPolicy(links.dashboardUrl),
        }
        return { headers, body: letterHtml(letter) }
      },
    }),
    testRoute(dashboard, { links, letterLimit }),
  ]
}

function testRoute(
  dashboard: DashboardRoutes,
  { links, letterLimit }: { links: Links; letterLimit: LetterLimit },
): Route {
  const { clock } = dashboard
  return dashboard.write('POST /settings/letters/test', {
    permission: 'letters.write',
    action: 'letter.test',
    body: LetterTest,
    prepare: ({ member: { business }, body }) => sampleOf(business, body, links),
    async handle({ member: { business, session }, body }, tx, rendered) {
      const { senderName, replyTo } = await findLetterSettings(tx, business.id)
      const letter = {
        ...{ businessId: business.id, id: newId(), notificationId: newId(), senderName, replyTo },
        ...{ kind: kindOf(body.letter), audience: 'person' as const, recipient: session.email, locale: body.locale },
        ...{
          invoiceId: null,
          objectId: null,
          customerId: null,
          linkId: null,
          sealedLink: null,
          createdAt: businessNow(clock, business),
        },
      }
      await letterLimit.require(tx, letter)
      await insertLetters(tx, [{ ...rendered, ...letter }])
      const reply = { object: 'letter' as const, recipient: session.email }
      return { body: reply, audit: { object: { type: 'letter', id: letter.id }, after: { letter: body.letter } } }
    },
  })
}

const kindOf = (letter: string) => letter.slice(letter.indexOf('.') + 1) as LetterKind

/** @throws ApiError `validation_failed` when there is no such letter */
async function sampleOf(
  business: Business,
  { letter, locale }: { letter: string; locale: Locale },
  links: Links,
): Promise<RenderedLetter> {
  const known = SWITCHABLE_LETTERS.find((name) => name === letter)
  if (!known) throw invalidField('letter', `must be one of ${SWITCHABLE_LETTERS.join(', ')}`)
  const { name, brandColor, supportEmail, supportPhone } = business
  const given = {
    ...{ business: name, customer: 'Alex Martin', email: 'alex@example.com', description: 'Plan A' },
    ...{ message: 'Insufficient funds', supportPhone: supportPhone ?? '' },
  }
  const made = sampleLetters(given, business.currency)
  const words = letterWords(locale, business)
  const audience = known.startsWith('customer.') ? 'customer' : 'merchant'
  const frame = { audience, logoUrl: logoUrl(business, links), brandColor, supportEmail, supportPhone } as const
  const content = made[known]?.(words)
  if (!content) throw invalidField('letter', 'has no sample')
  return renderLetter(words, content, frame)
}
