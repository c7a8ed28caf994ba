import { randomBytes } from 'node:crypto'
import type { Static } from 'typebox'
import { BrandingChange, BrandingDraft, BrandingPreviewQuery } from '../../../contract/dashboard/settings-api.ts'
import type { RenderPaymentPage } from '../../../contract/payment-page.ts'
import type { Business } from '../../businesses/business.ts'
import { businessNow } from '../../businesses/business.ts'
import type { Settings } from '../../businesses/change-settings.ts'
import { type Logo, logoFrom } from '../../businesses/logo.ts'
import { findLogo } from '../../businesses/logo-queries.ts'
import { formBusiness } from '../../checkout/form/form-data.ts'
import type { Db } from '../../db/connection.ts'
import type { Route } from '../../http/route.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { comparedAddress } from '../../payments/check-policy.ts'
import type { DashboardRoutes } from '../dashboard-routes.ts'
import { findDraft, saveDraft } from './branding-draft-queries.ts'
import { checkColor } from './color-check.ts'
import { editSettings, given } from './edit-settings.ts'
import { samplePage } from './sample-page.ts'
import type { SettingsSurroundings } from './settings-view.ts'

/** Largest body: a logo of 64 KiB in base64, and the rest. */
const BODY_BYTES_MAX = 98_304

type Draft = Static<typeof BrandingDraft>

/** Returns the routes for the look of the payment page, and its preview. */
export function brandingRoutes(
  dashboard: DashboardRoutes,
  services: SettingsSurroundings & { renderPage: RenderPaymentPage },
): Route[] {
  const { db, clock } = dashboard
  return [
    dashboard.write('PATCH /branding', {
      permission: 'branding.write',
      action: 'branding.change',
      body: BrandingChange,
      bodyLimit: BODY_BYTES_MAX,
      async handle({ member, body: { version, ...sent } }, tx) {
        const edit = { settings: settingsOf(sent), logo: logoOf(sent.logo) }
        return editSettings(tx, { businessId: member.business.id, version, edit }, services)
      },
    }),
    // Only the person sees the stored draft, so there is nothing to audit.
    dashboard.preview('POST /branding/drafts', {
      permission: 'branding.write',
      body: BrandingDraft,
      bodyLimit: BODY_BYTES_MAX,
      async handle({ member, body }) {
        const { brand_color: color } = body
        const checked = color == null ? null : checkColor(color)
        logoOf(body.logo)
        const id = newId()
        await saveDraft(db, ownerOf(member), { id, draft: body, at: clock.now() })
        return { body: { object: 'branding_draft' as const, id, color: checked } }
      },
    }),
    dashboard.read('GET /branding/preview', {
      permission: 'branding.write',
      query: BrandingPreviewQuery,
      async handle({ member, query: { draft: id, ...shown } }) {
        const draft = await findDraft(db, ownerOf(member), id)
        if (!draft) throw new ApiError('not_found', { message: 'No such draft' })
        const { business } = member
        const nonce = randomBytes(16).toString('base64')
        const look = { ...formBusiness(business, services.links), ...(await lookOf(db, business, draft)) }
        const { currency } = business
        const now = businessNow(clock, business)
        const compared = comparedAddress(business)
        const view = samplePage(look, { ...shown, nonce, currency, now, comparedAddress: compared })
        return { headers: headersOf(nonce), body: services.renderPage(view) }
      },
    }),
  ]
}

const ownerOf = ({ business, session }: { business: Business; session: { userId: string } }) => ({
  businessId: business.id,
  userId: session.userId,
})

const settingsOf = (sent: Draft): Partial<Settings> =>
  given({
    brandColor: sent.brand_color,
    colorScheme: sent.color_scheme,
    cornerRadius: sent.corner_radius,
    fontStack: sent.font_stack,
  })

/** @throws ApiError `validation_failed` */
function logoOf(base64: string | null | undefined): Logo | null | undefined {
  if (base64 === null || base64 === undefined) return base64
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64) throw invalidField('logo', 'must be the file in base64')
  return logoFrom(bytes)
}

/** Returns the look with the logo embedded in the page, because the frame may load nothing. */
async function lookOf(db: Db, business: Business, draft: Draft) {
  const { brand_color = business.brandColor, color_scheme = business.colorScheme } = draft
  const { corner_radius = business.cornerRadius, font_stack = business.fontStack } = draft
  const logo = draft.logo === undefined ? await findLogo(db, business.id) : (logoOf(draft.logo) ?? null)
  return { brand_color, color_scheme, corner_radius, font_stack, logo_url: logo && dataUrl(logo) }
}

const dataUrl = ({ mediaType, bytes }: Logo) => `data:${mediaType};base64,${bytes.toString('base64')}`

const headersOf = (nonce: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    'sandbox',
  ].join('; '),
  'x-frame-options': 'SAMEORIGIN',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
})
