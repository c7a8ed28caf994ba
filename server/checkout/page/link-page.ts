import type { FormPost } from '../../../contract/form-post.ts'
import { readSessionCookie } from '../../access/sessions/session-cookie.ts'
import type { Business } from '../../businesses/business.ts'
import { holdsCardNumber } from '../../lib/card-number-in-text.ts'
import { ApiError } from '../../lib/errors.ts'
import { formBusiness } from '../form/form-data.ts'
import type { PayServices } from '../pay/pay-services.ts'
import type { OpenedLink } from '../pay/sign-ups.ts'
import type { LoadedSession } from '../sessions/load-session.ts'
import { statusAt } from '../sessions/session.ts'
import type { SessionPlace } from '../sessions/session-token.ts'
import { checkoutUrl, type Links } from '../sessions/session-view.ts'
import { html, type PageCall, type PageReply, type PageServices, type PageState } from './page-reply.ts'

// Pages for tokens that do not belong to a session: links of a subscription or a contract, and links that ask a
// customer for a card.

/** `dashboardOrigin` is the origin of the dashboard, where a signer may have a session. */
type LinkPageServices = PayServices & PageServices & { dashboardOrigin: string }
type Missing = ('name' | 'agreement')[]

const NAME_LENGTH = { min: 2, max: 100 }

/** Shows the page of a link. @param missing what is missing in the form post of a contract */
export async function showLink(services: LinkPageServices, call: PageCall, missing: Missing = []): Promise<PageReply> {
  const place = placeOf(services, call)
  const link = place && (await services.signUps.openLink(place))
  if (!link) throw notFound()
  return reply(services, call, link, missing)
}

/** Redirects to the contract that must be signed before the session of a link; `null` if none must be signed. */
export async function signFirst(
  services: LinkPageServices,
  call: PageCall,
  { session, now, paymentInProgress }: LoadedSession,
): Promise<PageReply | null> {
  const { businessId, clientId, subscriptionId } = session
  if (clientId !== null || subscriptionId === null) return null
  if (paymentInProgress || statusAt(session, now, false) !== 'PENDING') return null
  const link = await services.signUps.openLink({ businessId, id: subscriptionId })
  return link && 'signAt' in link ? reply(services, call, link, []) : null
}

/** Records the customer's signature. If the subscription waits for a card, the page for the card follows. */
export async function signByPost(
  services: LinkPageServices,
  call: PageCall & { ip: string; cookie: string | null; body: FormPost },
): Promise<PageReply> {
  const place = placeOf(services, call)
  const link = place && (await services.signUps.openLink(place))
  if (!place || !link || 'session' in link || 'signAt' in link) throw notFound()
  if (!('contract' in link) || link.contract.status !== 'sent') return reply(services, call, link, [])
  const { name, missing } = readSignature(call.body ?? {})
  if (missing.length > 0) return reply(services, call, link, missing)
  const { keyring, dashboardOrigin } = services
  const sessionToken = readSessionCookie(keyring, dashboardOrigin, call.cookie ?? undefined)
  await services.signUps.sign(place, { name, ip: call.ip, sessionToken })
  return showLink(services, call)
}

/** Maximum length in code units, before blanks are joined and the text is normalized. */
const TYPED_MAX = 2_000

function readSignature({ contract_name: typed, contract_agreed: agreed }: FormPost): {
  name: string
  missing: Missing
} {
  const name =
    typeof typed === 'string' && typed.length <= TYPED_MAX
      ? typed
          .normalize('NFC')
          .replace(/[\p{C}\s]+/gu, ' ')
          .trim()
      : ''
  const isName = name.length >= NAME_LENGTH.min && name.length <= NAME_LENGTH.max && !holdsCardNumber(name)
  return { name, missing: [...(isName ? [] : ['name' as const]), ...(agreed === 'on' ? [] : ['agreement' as const])] }
}

function reply(services: LinkPageServices, call: PageCall, link: OpenedLink, missing: Missing): PageReply {
  const { links, sessionTokens } = services
  if ('session' in link) return redirect(call, checkoutUrl(link.session, sessionTokens.make(link.session), links))
  if ('signAt' in link) {
    const tokenKeyId = services.keyring.currentId
    const token = sessionTokens.make({ ...link.signAt, tokenKeyId })
    return redirect(call, checkoutUrl({ uiMode: 'hosted' }, token, links))
  }
  if (!('contract' in link)) return html(services, call, null, closedState(link, links))
  const business = formBusiness(link.business, links)
  return html(services, call, null, { state: 'contract', business, contract: link.contract, missing })
}

type ClosedLink = Exclude<OpenedLink, { session: unknown } | { signAt: unknown } | { contract: unknown }>

/** Returns the state of the page of a link on which nothing can be done any more. */
function closedState(link: ClosedLink, links: Links): Extract<PageState, { state: 'cancelled' | 'expired' }> {
  const of = (business: Business) => ({ business: formBusiness(business, links), returnUrl: null })
  if ('canceledBy' in link) return { state: 'cancelled', ...of(link.canceledBy) }
  if ('revokedBy' in link) return { state: 'cancelled', ...of(link.revokedBy), isCardLink: true }
  if ('expiredOf' in link) return { state: 'expired', ...of(link.expiredOf) }
  return { state: 'expired', ...of(link.endedOf), isCardLink: true }
}

function redirect({ query }: PageCall, url: string): PageReply {
  const { locale = query.lang } = query
  const search = locale ? `?${new URLSearchParams({ locale })}` : ''
  return { status: 303, headers: { location: `${url}${search}`, 'cache-control': 'no-store' }, body: '' }
}

const placeOf = ({ sessionTokens }: LinkPageServices, { params }: PageCall): SessionPlace | null =>
  sessionTokens.open(params.token ?? '')

const notFound = () => new ApiError('not_found', { message: 'No such session' })
