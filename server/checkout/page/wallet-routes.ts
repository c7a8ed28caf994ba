import type { WalletFrameData } from '../../../contract/wallet-frame.ts'
import { PUBLIC_PATHS } from '../../http/family.ts'
import { publicAccess, type Reply, type Route, route } from '../../http/route.ts'
import { ApiError } from '../../lib/errors.ts'
import { checkoutFormData, type FormDataServices } from '../form/form-data.ts'
import { payerLocale } from '../form/page-locale.ts'
import { findPayable, type LoadedSession, type LookupServices } from '../sessions/load-session.ts'
import type { SessionDoor } from '../sessions/session-access.ts'
import type { SessionTokens } from '../sessions/session-token.ts'
import { BUTTON_PATH, type BuiltScript } from './page-reply.ts'
import { walletDocument, walletHeaders } from './wallet-document.ts'
import { walletRequest } from './wallet-request.ts'

export interface WalletServices extends FormDataServices, LookupServices {
  /** They name a session to the frame, which is not trusted with its token. */
  walletFrames: SessionTokens
  door: SessionDoor
}

export interface WalletHost {
  walletUrl: string
  script: BuiltScript
  /** Staging's wallet instead of Google's. */
  isSimulated: boolean
}

/** The frame of the Google Pay button, of another origin than the payment page: its document and its script. */
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

/** The name contains a hash of the content, so the content never changes. */
const SCRIPT_HEADERS = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
}

/** @throws ApiError `not_found` for every session that cannot be paid by Google Pay */
async function showButton(
  services: WalletServices,
  { walletUrl, script, isSimulated }: WalletHost,
  { frame, locale }: { frame?: unknown; locale?: unknown },
): Promise<Reply> {
  const open = await findFramed(services, frame)
  const { payment_methods, customer } = await checkoutFormData(services, open)
  const method = payment_methods.google_pay
  if (!method.enabled) throw noButton()
  const { session, business } = open
  const hasEmail = [session.customerEmail, session.payerEmail, customer?.email].some(Boolean)
  const data: WalletFrameData = {
    wallet: isSimulated ? 'simulated' : 'google',
    environment: method.environment,
    pageOrigin: services.links.dashboardUrl,
    locale: payerLocale(locale, null) ?? 'en',
    request: walletRequest({ business, session, method, publicKey: null, hasEmail }),
  }
  const scriptUrl = `${walletUrl}/google-pay/${script.file}`
  const framers = [data.pageOrigin, ...(session.uiMode === 'hosted' ? [] : [session.parentOrigin])]
  return {
    headers: walletHeaders({ walletOrigin: walletUrl, framers, scriptUrl, isGoogle: !isSimulated }),
    body: walletDocument(data, { url: scriptUrl, integrity: script.integrity }),
  }
}

/** The payable session that a frame is for. */
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
