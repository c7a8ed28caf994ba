import type { BinTable } from '../vault/bin-table.ts'
import { type Card, isPast, type WalletCard } from '../vault/card.ts'
import { Secret } from '../vault/secret.ts'
import { walletCard } from '../vault/wallet-card.ts'
import { instant, jsonObject, object, string } from './members.ts'
import { TokenRefused } from './token-refused.ts'

export interface PayloadRules {
  /** Current time, in real time like Google's messages. */
  now: Date
  /** Current time in the business's time, at which the expiry of a card is checked. */
  businessTime: Date
  /** Required `gatewayMerchantId`; `null` if the token is for the merchant's own id. */
  gatewayMerchantId: string | null
  /** Whether PAN_ONLY is refused. */
  cryptogramOnly: boolean
  bins: BinTable
}

/** Google's ids have 80 characters; this leaves room. */
const MESSAGE_ID_LENGTH_MAX = 1_000
/** Base64; networks use 20 bytes. */
const CRYPTOGRAM = /^[A-Za-z0-9+/]{4,100}={0,2}$/
const ECI = /^\d{1,2}$/

/**
 * Reads the card of a decrypted message. Unknown members, such as `assuranceDetails`, are ignored.
 *
 * @throws TokenRefused
 * @see GPY-6, GPY-9
 */
export function readPayload(text: string, rules: PayloadRules): Card {
  const payload = jsonObject(text, 'payload')
  const expiresAt = instant(payload.messageExpiration, 'payload')
  if (expiresAt <= rules.now) throw new TokenRefused('message expiration', 'google_pay_token_expired')
  const messageId = string(payload.messageId, 'payload')
  if (messageId === '' || messageId.length > MESSAGE_ID_LENGTH_MAX) throw new TokenRefused('payload')
  if (payload.paymentMethod !== 'CARD') throw new TokenRefused('payment method')
  if (rules.gatewayMerchantId !== null && payload.gatewayMerchantId !== rules.gatewayMerchantId) {
    throw new TokenRefused('gateway merchant')
  }
  const details = object(payload.paymentMethodDetails, 'payload')
  const proof = proofOf(details, rules)
  return cardOf(details, { kind: 'google_pay', messageId, expiresAt, proof }, rules)
}

function cardOf(
  { pan, expirationMonth: month, expirationYear: year }: Record<string, unknown>,
  wallet: WalletCard,
  { businessTime, bins }: PayloadRules,
): Card {
  const number = string(pan, 'card number')
  if (!isWithin(month, [1, 12]) || !isWithin(year, [1000, 9999])) throw new TokenRefused('card expiry')
  const card = walletCard({ number, expMonth: month, expYear: year, wallet }, bins)
  if (!card) throw new TokenRefused('card number')
  if (isPast({ month, year }, businessTime)) throw new TokenRefused('card expiry', 'card_expired')
  return card
}

const isWithin = (value: unknown, [least, most]: [number, number]): value is number =>
  Number.isInteger(value) && least <= (value as number) && (value as number) <= most

/** @returns `null` for a card stored in the Google account, which proves nothing */
function proofOf(
  { authMethod, cryptogram, eciIndicator }: Record<string, unknown>,
  { cryptogramOnly }: PayloadRules,
): WalletCard['proof'] {
  const step = 'authentication method'
  if (authMethod === 'PAN_ONLY' && !cryptogramOnly) return null
  if (authMethod !== 'CRYPTOGRAM_3DS') throw new TokenRefused(step)
  const value = string(cryptogram, step)
  if (!CRYPTOGRAM.test(value)) throw new TokenRefused(step)
  // Some networks provide no ECI; then none is sent, and none is made up.
  const eci = string(eciIndicator ?? '', step)
  if (eci !== '' && !ECI.test(eci)) throw new TokenRefused(step)
  return { cryptogram: new Secret(value), eci: eci || null }
}
