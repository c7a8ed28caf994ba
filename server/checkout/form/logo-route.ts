import type { Business } from '../../businesses/business.ts'
import { findLogo } from '../../businesses/logo-queries.ts'
import type { Db } from '../../db/connection.ts'
import type { Family } from '../../http/family.ts'
import { publicAccess, type Route, route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { isUuid } from '../../lib/ids.ts'
import type { Links } from '../sessions/session-view.ts'

/** Returns the URL of a logo. A new logo has a new URL, so browsers may cache each one forever. */
export function logoUrl({ id, logoHash }: Business, { dashboardUrl }: Links): string | null {
  return logoHash === null ? null : `${dashboardUrl}/logos/${id}?v=${logoHash.slice(0, 16)}`
}

/** Serves the logo of a business from the form's own origin, the only one from which the page may load logos. */
export function logoRoute({ db, family }: { db: Db; family: Family }): Route {
  return route({
    family,
    access: publicAccess,
    browsers: 'anywhere',
    method: 'GET',
    path: '/logos/{business_id}',
    async handle({ params, query }) {
      const id = params.business_id ?? ''
      const logo = isUuid(id) ? await findLogo(db, id) : null
      if (logo === null) throw new ApiError('not_found', { message: 'No such logo' })
      const { v } = query as { v?: string }
      return { headers: headersOf(logo.mediaType, v === logo.hash.slice(0, 16)), body: logo.bytes }
    },
  })
}

const headersOf = (mediaType: string, isNamed: boolean) => ({
  'content-type': mediaType,
  'content-security-policy': "default-src 'none'",
  // E-mails show the logo in the pages of webmail programs.
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
  // The logo at a URL without its current hash may change.
  'cache-control': isNamed ? 'public, max-age=31536000, immutable' : 'no-cache',
})
