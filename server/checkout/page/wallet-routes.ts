import type { WalletFrameData } from '../../../contract/wallet-frame.ts'
import { findCustomer } from '../../customers/customer-queries.ts'
import type { GooglePay } from '../../google-pay/google-pay.ts'
import { PUBLIC_PATHS } from '../../http/family.ts'
import { publicAccess, type Reply, type Route, route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { payerLocale } from '../form/page-locale.ts'
import { takesGooglePay } from '../pay/wallet-token.ts'
import { findPayable, type LoadedSession, type LookupServices } from '../sessions/load-session.ts'
import type { SessionDoor } from '../sessions/session-access.ts'
import type { SessionTokens } from '../sessions/session-token.ts'
import type { Links } from '../sessions/session-view.ts'
import { BUTTON_PATH, type BuiltScript } from './page-reply.ts'
import { walletDocument, walletHeaders } from './wallet-document.ts'
import { walletRequest } from './wallet-request.ts'

export interface WalletServices extends LookupServices {
  links: Links
  googlePay: GooglePay
  /** Tokens that name a session to the frame, which is not trusted with the session token. */
  walletFrames: SessionTokens
  door: SessionDoor
}

export interface WalletHost {
  walletUrl: string
  script: BuiltScript
}

/** Serves document and script of the frame with the Google Pay button, on another origin than the payment page. */
export function walletRoutes(services: WalletServices, host: WalletHost): Route[] {
  const shared = { family: PUBLIC_PATHS, access: publicAccess, browsers: 'anywhere' as const, method: 'GET' as const }
  return [
    route({
      ...shared,
      path: BUTTON_PATH,
      perAddress: services.door.perAddress,
      handle: (call) => showButton(services, host, call.query as { frame?: unknown; locale?: unknown }),
    }),
    route({
      ...shared,
      path: `/google-pay/${host.script.file}`,
      handle: () => ({ headers: SCRIPT_HEADERS, body: host.script.code }),
    }),
  ]
}

/** Headers of the script, whose name contains a hash of the content, so the content never changes. */
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
}

/** @throws ApiError `not_found` if the session cannot be paid by Google Pay */
async function showButton(
  services: WalletServices,
  { walletUrl, script }: WalletHost,
  { frame, locale }: { frame?: unknown; locale?: unknown },
): Promise<Reply> {
  const loaded = await findFramed(services, frame)
  const { session, business } = loaded
  const offer = takesGooglePay(loaded) ? await services.googlePay.offer(business) : null
  if (!offer) throw noButton()
  const data: WalletFrameData = {
    wallet: services.googlePay.isSimulated ? 'simulated' : 'google',
    environment: offer.environment,
    pageOrigin: services.links.dashboardUrl,
    locale: payerLocale(locale, null) ?? 'en',
    cornerRadius: business.cornerRadius,
    request: walletRequest({ business, session, offer, hasEmail: await hasEmail(services, loaded) }),
  }
  const scriptUrl = `${walletUrl}/google-pay/${script.file}`
  const framers = [data.pageOrigin, ...(session.uiMode === 'hosted' ? [] : [session.parentOrigin])]
  return {
    headers: walletHeaders({ walletOrigin: walletUrl, framers, scriptUrl, isGoogle: data.wallet === 'google' }),
    body: walletDocument(data, { url: scriptUrl, integrity: script.integrity }),
  }
}

/** Whether an e-mail address is known: of the customer whom the merchant named, or typed earlier by the payer. */
async function hasEmail({ db }: WalletServices, { session }: LoadedSession): Promise<boolean> {
  if (session.customerEmail !== null || session.payerEmail !== null) return true
  const customer = session.customerId === null ? null : await findCustomer(db, session.businessId, session.customerId)
  return Boolean(customer?.email)
}

/** Returns the payable session that a frame is for. @throws ApiError `not_found` if there is none */
export async function findFramed(services: WalletServices, frame: unknown): Promise<LoadedSession> {
  if (typeof frame !== 'string') throw noButton()
  try {
    return await findPayable({ ...services, sessionTokens: services.walletFrames }, frame)
  } catch (error) {
    if (error instanceof ApiError) throw noButton()
    throw error
  }
}

const noButton = () => new ApiError('not_found', { message: 'No such button' })
