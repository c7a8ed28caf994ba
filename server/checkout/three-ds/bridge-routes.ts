import { addressForCounting } from '../../http/client-address.ts'
import { type Family, PUBLIC_PATHS } from '../../http/family.ts'
import type { MakeRateLimiter } from '../../http/rate-limit.ts'
import { type Call, type Limit, publicAccess, type Route, route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import type { LookupServices } from '../sessions/load-session.ts'
import type { Links } from '../sessions/session-view.ts'
import { type FoundStep, findStep } from './bridge-lookup.ts'
import { openChallenge, openMethod } from './bridge-open.ts'
import { type BridgeCall, type BridgeReply, returnReply } from './bridge-reply.ts'
import { BRIDGE_PATHS, type BridgePath } from './bridge-urls.ts'
import type { MethodNotices } from './method-notices.ts'
import { challengeReturned, methodDone } from './return-step.ts'

export interface BridgeServices extends Pick<LookupServices, 'db' | 'clock' | 'merchants'> {
  links: Links
  makeRateLimiter: MakeRateLimiter
  methodNotices: MethodNotices
}

type Step = (services: BridgeServices, call: BridgeCall, step: FoundStep, body: unknown) => Promise<BridgeReply | null>

/**
 * Serves the documents between the payment page and the bank's pages: two that the page frames, and two to which the
 * bank's pages post the browser back. That post comes from another site, with any origin or `null`, so it is no more
 * than a hint.
 *
 * @see TDS-23 to TDS-25
 */
export function bridgeRoutes(services: BridgeServices, family: Family): Route[] {
  const limits = [perAddress(services)]
  const shared = { family, access: publicAccess, browsers: 'anywhere' as const, limits }
  const framed = (path: BridgePath, step: Step) =>
    route({ ...shared, method: 'GET', path: BRIDGE_PATHS[path], handle: (call) => handle(services, call, step) })
  const returned = (path: BridgePath, step: Step) =>
    route({
      ...shared,
      method: 'POST',
      path: BRIDGE_PATHS[path],
      acceptsForm: true,
      // Whatever the bank's page posts is read only by its handler, and stored nowhere.
      takesCardData: true,
      handle: (call) => handle(services, call, step),
    })
  return [
    framed('method', openMethod),
    framed('challenge', openChallenge),
    returned('methodDone', methodDone),
    returned('done', challengeReturned),
  ]
}

const perAddress = ({ makeRateLimiter }: BridgeServices): Limit<null> => ({
  limiter: makeRateLimiter({ name: 'ddd-bridge', points: 60, seconds: 60 }),
  key: ({ ip }) => addressForCounting(ip),
})

async function handle(services: BridgeServices, call: Call<unknown, unknown, null>, step: Step): Promise<BridgeReply> {
  const { ddd_session_id: id = '' } = call.params
  const { locale } = call.query as { locale?: string }
  const found = await findStep(services, id)
  const reply = found && (await step(services, { id, locale, acceptLanguage: call.acceptLanguage }, found, call.body))
  if (!reply) throw new ApiError('not_found', { message: 'No such authentication' })
  return reply
}

/** Returns the route family of the documents. Errors are documents too, which wake the page that frames them. */
export function bridgePages({ links }: Pick<BridgeServices, 'links'>): Family {
  return {
    ...PUBLIC_PATHS,
    envelope({ status }, { url, headers }) {
      const { pathname, searchParams } = new URL(url, links.dashboardUrl)
      const [id = ''] = /ddd_[\da-f-]{36}$/.exec(pathname) ?? []
      const acceptLanguage = headers['accept-language'] ?? null
      return returnReply(links, { id, locale: searchParams.get('locale'), acceptLanguage }, null, {
        status,
        text: 'over',
      })
    },
    documented: null,
  }
}
