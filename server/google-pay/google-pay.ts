import type { FastifyBaseLogger } from 'fastify'
import type { Environment } from '../access/shared/context.ts'
import type { Business } from '../businesses/business.ts'
import type { Db } from '../db/connection.ts'
import type { Tx } from '../db/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import { ApiError } from '../lib/errors.ts'
import type { Keyring } from '../lib/keyring.ts'
import type { BinTable } from '../vault/bin-table.ts'
import type { Card } from '../vault/card.ts'
import { openToken } from './open-token.ts'
import { prepareGooglePay } from './prepare-google-pay.ts'
import { openPrivateKey } from './recipient-key.ts'
import { findActiveKeys, findNewestPublicKey } from './recipient-key-queries.ts'
import type { RootKeys } from './root-keys.ts'
import { TokenRefused, tokenRefusal } from './token-refused.ts'
import { allowedMethods, allowedNetworks, recipientOf } from './wallet-terms.ts'

export interface GooglePayParts {
  db: Db
  keyring: Keyring
  clock: Clock
  log: FastifyBaseLogger
  environment: Environment
  bins: BinTable
  rootKeys: RootKeys
  /** Whether staging's simulated wallet replaces Google's. */
  isSimulated: boolean
  /**
   * Whether the button's frame has a different origin from the card page; otherwise Google Pay is not offered (GPY-1).
   */
  hasOrigin: boolean
  /** Our gateway name at Google; if `null`, only merchants with their own Google merchant id have Google Pay. */
  gateway: string | null
  /** Google merchant id of the operator, for the button if Rialto is the gateway. */
  operatorMerchantId: string | null
}

type Merchant = Pick<
  Business,
  'id' | 'name' | 'country' | 'googlePayEnabled' | 'googlePayMerchantId' | 'googlePayCryptogramOnly'
>

/** Settings for the button and the wallet. */
export interface GooglePayOffer {
  environment: 'TEST' | 'PRODUCTION'
  /**
   * Merchant id at Google: the merchant's own, or the operator's if Rialto is the gateway. `null` in staging, where
   * Google requires none.
   */
  merchantId: string | null
  gateway: string | null
  gatewayMerchantId: string | null
  allowedCardNetworks: string[]
  allowedAuthMethods: string[]
  /** Public part of the newest key, 65 bytes in base64: tokens are encrypted for it. */
  publicKey: string
  /** `merchant:<id>` or `gateway:<id>` */
  recipientId: string
}

export interface GooglePay {
  isSimulated: boolean
  /** @returns `null` if the business cannot accept Google Pay */
  offer(business: Merchant): Promise<GooglePayOffer | null>
  /**
   * Opens a `googlePayToken`. This does not mark it as used.
   *
   * @param businessTime time at which the expiry of the card is checked
   * @throws ApiError `validation_failed`; `google_pay_unavailable` if there are no root keys or no keys of the
   *   recipient
   */
  open(business: Merchant, token: string, businessTime: Date): Promise<Card>
  /**
   * Creates the first key if the settings need one, in the transaction that changes them.
   *
   * @throws ApiError `validation_failed`
   */
  prepare(tx: Tx, business: Merchant): Promise<void>
}

/** @see GPY-3 to GPY-9 */
export function createGooglePay(parts: GooglePayParts): GooglePay {
  return {
    isSimulated: parts.isSimulated,
    offer: (business) => offer(parts, business),
    open: (business, token, businessTime) => open(parts, business, token, businessTime),
    prepare: (tx, business) => prepareGooglePay({ ...parts, db: tx }, business),
  }
}

/** Returns the offer. Makes no query as long as Google Pay is off for the business. */
async function offer(
  { db, environment, rootKeys, gateway, operatorMerchantId, hasOrigin }: GooglePayParts,
  business: Merchant,
): Promise<GooglePayOffer | null> {
  const recipient = business.googlePayEnabled && hasOrigin ? recipientOf(business, gateway) : null
  if (!recipient) return null
  const publicKey = await findNewestPublicKey(db, { ...recipient.keyOwner, environment })
  if (publicKey === null || (await rootKeys.current()).length === 0) return null
  return {
    environment: environment === 'production' ? 'PRODUCTION' : 'TEST',
    merchantId: business.googlePayMerchantId ?? operatorMerchantId,
    gateway: recipient.gatewayMerchantId === null ? null : gateway,
    gatewayMerchantId: recipient.gatewayMerchantId,
    allowedCardNetworks: allowedNetworks(business),
    allowedAuthMethods: allowedMethods(business),
    publicKey,
    recipientId: recipient.id,
  }
}

async function open(parts: GooglePayParts, business: Merchant, token: string, businessTime: Date): Promise<Card> {
  const { db, keyring, environment, clock, bins, log } = parts
  const recipient = recipientOf(business, parts.gateway)
  const rootKeys = await parts.rootKeys.current()
  const keys = recipient && rootKeys.length > 0 ? await findActiveKeys(db, { ...recipient.keyOwner, environment }) : []
  if (!recipient || keys.length === 0) throw unavailable()
  try {
    return openToken(token, {
      rootKeys,
      recipientId: recipient.id,
      privateKeys: keys.map((key) => openPrivateKey(keyring, key)),
      gatewayMerchantId: recipient.gatewayMerchantId,
      cryptogramOnly: business.googlePayCryptogramOnly,
      now: clock.now(),
      businessTime,
      bins,
    })
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error
    log.info({ businessId: business.id, step: error.step }, 'a Google Pay token was refused')
    throw tokenRefusal(error.reason)
  }
}

const unavailable = () =>
  new ApiError('google_pay_unavailable', {
    message: 'Google Pay is not available at the moment. Nothing was charged. Pay with a card.',
    extra: { charged: false },
  })
