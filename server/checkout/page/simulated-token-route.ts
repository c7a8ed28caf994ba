import Type, { type Static } from 'typebox'
import { OneOf, Opaque } from '../../../contract/formats.ts'
import { AUTH_METHODS, SIMULATED_NETWORKS, simulatedCard } from '../../google-pay/simulated-cards.ts'
import { simulateToken } from '../../google-pay/simulated-wallet.ts'
import { PUBLIC_PATHS } from '../../http/family.ts'
import { publicAccess, type Route, route } from '../../http/route.ts'
import type { Clock } from '../../lib/clock.ts'
import { ApiError, invalidField } from '../../lib/errors.ts'
import { findPayable, type LoadedSession } from '../sessions/load-session.ts'
import { findFramed, type WalletServices } from './wallet-routes.ts'

/** Validity of a simulated token. Real wallet tokens are valid for a few days. */
const VALID_MS = 24 * 60 * 60 * 1_000

const TokenRequest = Type.Object({
  /** Token of the button's frame. */
  frame: Type.Optional(Opaque(100)),
  /** Session token, for tests without a browser. */
  session_token: Type.Optional(Opaque(100)),
  card_network: OneOf(SIMULATED_NETWORKS),
  auth_method: OneOf(AUTH_METHODS),
})
type TokenRequest = Static<typeof TokenRequest>

/**
 * Does what Google's servers do for a wallet: makes a token for the business of a session, encrypted for its key. Only
 * the simulated wallet of staging has this path; elsewhere it is unknown.
 *
 * @see GPY-8
 */
export function simulatedTokenRoute(services: WalletServices & { clock: Clock }, walletUrl: string): Route {
  const perAddress = services.door.perAddress
  return route({
    family: PUBLIC_PATHS,
    access: publicAccess,
    perAddress,
    browsers: async ({ headers }) => headers.origin === walletUrl,
    method: 'POST',
    path: '/google-pay/simulated-token',
    body: TokenRequest,
    async handle({ body, origin }) {
      if (origin !== null && origin !== walletUrl)
        throw new ApiError('origin_not_allowed', { message: 'Only the frame of the button may call this path' })
      const { business } = await sessionOf(services, body)
      const offer = await services.googlePay.offer(business)
      if (!offer) throw new ApiError('not_found', { message: 'No such session' })
      const { clock } = services
      const { card, description } = simulatedCard(body, clock.now())
      const token = simulateToken({
        recipientId: offer.recipientId,
        publicKey: offer.publicKey,
        card,
        gatewayMerchantId: offer.gatewayMerchantId ?? undefined,
        expiresAt: new Date(clock.now().getTime() + VALID_MS),
      })
      return { body: { ok: true, message: 'Token made', google_pay_token: token, description } }
    },
  })
}

/** @throws ApiError `validation_failed`, `not_found`, an error of a closed state */
function sessionOf(services: WalletServices, { frame, session_token }: TokenRequest): Promise<LoadedSession> {
  if (frame !== undefined) return findFramed(services, frame)
  if (session_token === undefined) throw invalidField('session_token', 'is required when frame is absent')
  return findPayable(services, session_token)
}
