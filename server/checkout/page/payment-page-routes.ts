import type { CheckoutFormData, FormSession } from '../../../contract/checkout-form.ts'
import type { FormPost } from '../../../contract/form-post.ts'
import type { FormRefusal, SavedCard } from '../../../contract/payment-page.ts'
import { type Family, PUBLIC_PATHS } from '../../http/family.ts'
import { publicAccess, type Reply, type Route, route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { decimalFromCents } from '../../lib/money.ts'
import { responseOf } from '../../payments/charge/charged.ts'
import { checkoutFormData, formBusiness } from '../form/form-data.ts'
import { checkSessionCustomer, identifyCustomer } from '../form/identify-customer.ts'
import { logoRoute } from '../form/logo-route.ts'
import { checkPayRequest } from '../pay/pay-request.ts'
import type { PayServices } from '../pay/pay-services.ts'
import { paySession } from '../pay/pay-session.ts'
import { type LoadedSession, lookUp, sessionPayment } from '../sessions/load-session.ts'
import { returnUrl } from '../sessions/return-url.ts'
import { PAYMENT_ATTEMPTS_MAX, type Session, statusAt } from '../sessions/session.ts'
import type { SessionDoor } from '../sessions/session-access.ts'
import { sessionPayer } from '../sessions/session-customer.ts'
import type { Links } from '../sessions/session-view.ts'
import { customerFrom, paymentMethodFrom, payRequestFrom } from './form-post.ts'
import { showLink, signByPost, signFirst } from './link-page.ts'
import { html, type PageCall, type PageServices, type PageState, pageLocaleOf } from './page-reply.ts'
import { amountTexts, appliesBy, formRefusal, withSurcharge } from './posted-payment.ts'

export interface PaymentPageServices extends PayServices, PageServices {
  links: Links
  door: SessionDoor
  dashboardOrigin: string
}

/** Routes of the payment form on its own origin: the page, its script, and the form post without JavaScript. */
export function paymentPageRoutes(services: PaymentPageServices, family: Family): Route[] {
  const { access, perAddress, reads, pays } = services.door
  const file = { family, access: publicAccess, browsers: 'anywhere' as const }
  const page = { ...file, access, perAddress }
  const routes = (['/customer/checkout/{token}', '/customer/checkout-rapid/{token}'] as const).flatMap((path) => [
    route({
      ...page,
      method: 'GET',
      path,
      limits: reads,
      handle: (call) => showPage(services, call as PageCall, null),
    }),
    route({
      ...page,
      method: 'POST',
      path,
      browsers: 'itself',
      limits: pays,
      acceptsForm: true,
      takesCardData: true,
      handle: (call) => payByPost(services, call as PostCall),
    }),
  ])
  const script = route({
    ...file,
    method: 'GET',
    path: `/assets/${services.assets.file}`,
    handle: () => ({ headers: SCRIPT_HEADERS, body: services.assets.code }),
  })
  return [...routes, script, logoRoute({ ...services, family })]
}

/** Headers of the script, whose name contains a hash of the content, so the content never changes. */
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
}

/** @param applies whether a surcharge applies, if the last attempt has shown it */
async function showPage(
  services: PaymentPageServices,
  call: PageCall,
  refusal: FormRefusal | null,
  applies: boolean | null = null,
): Promise<Reply> {
  const loaded = await lookUp(services, call.params.token ?? '')
  if (!loaded) return showLink(services, call)
  return (await signFirst(services, call, loaded)) ?? showSession(services, call, loaded, refusal, applies)
}

async function showSession(
  services: PaymentPageServices,
  call: PageCall,
  loaded: LoadedSession,
  refusal: FormRefusal | null,
  applies: boolean | null,
): Promise<Reply> {
  const { session, business, now, paymentInProgress, token } = loaded
  const status = statusAt(session, now, paymentInProgress)
  const shared = { token, apiBaseUrl: services.baseUrl, hasEmail: sessionPayer(session).email !== null }
  if (status === 'PENDING') {
    const data = withSurcharge(await checkoutFormData(services, loaded), applies)
    return html(
      services,
      call,
      loaded,
      paymentInProgress ? { state: 'checking', ...shared, data } : { state: 'open', ...shared, data, refusal },
    )
  }
  const back = returnUrl(status === 'COMPLETED' ? session.successUrl : session.cancelUrl, token)
  const state = CLOSED_STATE[status]
  const payment = session.uiMode === 'hosted' ? undefined : await sessionPayment(services.db, loaded)
  return html(services, call, loaded, {
    state,
    business: formBusiness(business, services.links),
    returnUrl: state === 'paid' || state === 'failed' ? back : null,
    ...(session.mode !== 'payment' && {
      isPlan: true,
      savedCard: savedCardOf(session),
      isLink: session.clientId === null,
      isCardLink: savedCardOf(session) !== null && state === 'cancelled',
    }),
    ...(payment && { payment }),
  })
}

function savedCardOf({ mode, subscription }: Pick<Session, 'mode' | 'subscription'> | FormSession): SavedCard | null {
  if (mode === 'setup') return 'stored'
  return subscription?.replaces_card ? 'replaced' : null
}

const CLOSED_STATE = { COMPLETED: 'paid', EXPIRED: 'expired', CANCELLED: 'cancelled', FAILED: 'failed' } as const

/** The payer is authenticated in frames that only a script can open, so the card of such a post is not even read. */
const SCRIPT_NEEDED: FormRefusal = { code: 'script_needed', attemptsLeft: null, errors: {} }

const FORM_UNSEEN: FormRefusal = { code: 'form_unseen', attemptsLeft: null, errors: {} }

interface PostCall extends PageCall {
  ip: string
  cookie: string | null
  body: FormPost
  fetchDestination: string | null
}

/**
 * Whether the payer may not see the form in its frame: only the script can tell, and the page around it can turn the
 * script off. Then a single click must not pay with a saved card.
 *
 * @see PAG-129
 */
function isUnseen({ session }: LoadedSession, { body, fetchDestination }: PostCall): boolean {
  return (
    session.uiMode !== 'hosted' &&
    fetchDestination !== 'document' &&
    paymentMethodFrom(body ?? {})?.startsWith('saved:') === true
  )
}

/** Handles a payment without JavaScript, whose response is a page. */
async function payByPost(services: PaymentPageServices, call: PostCall): Promise<Reply> {
  const token = call.params.token ?? ''
  const loaded = await lookUp(services, token)
  if (!loaded) return signByPost(services, call)
  // Read before anything is sent, so that rendering the page after a charge needs no further query.
  const data = await checkoutFormData(services, loaded)
  if (data.three_ds.enabled) return showPage(services, call, SCRIPT_NEEDED)
  if (isUnseen(loaded, call)) return showRefused(services, call, FORM_UNSEEN, null)
  try {
    const total = decimalFromCents(loaded.session.amountTotal)
    const body = checkPayRequest(payRequestFrom(call.body ?? {}, total))
    const typed = customerFrom(call.body ?? {})
    if (typed) await identifyCustomer(services, { token, body: checkSessionCustomer(typed) })
    const locale = pageLocaleOf(call, loaded)
    const response = responseOf(await paySession(services, { token, body, ip: call.ip, locale }))
    if (!response.ok) {
      const attemptsLeft = PAYMENT_ATTEMPTS_MAX - response.attempt_count
      return showRefused(services, call, { code: response.code, attemptsLeft, errors: {} }, body.amount > total)
    }
    // The card of a plan that begins later was only verified, like a card that is only stored.
    const { mode, subscription } = data.checkout_session
    const isVerified = mode === 'setup' || subscription?.first_charge === 0
    return html(services, call, loaded, {
      state: 'approved',
      business: formBusiness(loaded.business, services.links),
      receiptId: response.result.receiptID ?? '',
      isPlan: isVerified,
      savedCard: savedCardOf(data.checkout_session),
      ...amountTexts(body.amount, loaded, pageLocaleOf(call, loaded)),
      payment: {
        transaction_id: response.result.recordID,
        receipt_id: response.result.receiptID ?? '',
        amount: isVerified ? 0 : body.amount,
        currency: loaded.session.currency,
      },
      returnUrl: response.success_url,
    })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.detail.extra?.charged === null) return showChecking(services, call, loaded, data)
    return showRefused(services, call, formRefusal(error), appliesBy(error))
  }
}

/** Shows the form again, with the card that the payer had chosen, because the code is typed for that card. */
function showRefused(services: PaymentPageServices, call: PostCall, refusal: FormRefusal, applies: boolean | null) {
  const paymentMethod = paymentMethodFrom(call.body ?? {})
  return showPage(services, call, { ...refusal, ...(paymentMethod && { paymentMethod }) }, applies)
}

const showChecking = (services: PaymentPageServices, call: PageCall, loaded: LoadedSession, data: CheckoutFormData) =>
  html(services, call, loaded, { state: 'checking', token: loaded.token, apiBaseUrl: services.baseUrl, data })

/** Returns the route family of the payment page, whose errors are HTML pages. */
export function paymentPages(services: PageServices): Family {
  return {
    ...PUBLIC_PATHS,
    envelope(refusal, { url, headers }) {
      const [, query = ''] = url.split('?')
      const call = {
        params: {},
        query: Object.fromEntries(new URLSearchParams(query)),
        acceptLanguage: headers['accept-language'] ?? null,
      }
      const wait = Number(refusal.detail.headers?.['retry-after'] ?? Number.NaN)
      const state: PageState =
        refusal.status === 404
          ? { state: 'not_found' }
          : { state: 'error', retryAfterSeconds: Number.isNaN(wait) ? null : wait }
      const page = html(services, call, null, state)
      return { headers: page.headers, body: page.body }
    },
    documented: null,
  }
}
