import { ApiError } from '../lib/errors.ts'
import { passesLuhn } from '../lib/luhn.ts'

/** Names that mean card data, however they are spelled: compared without case, `_` and `-`. */
const CARD_LIKE = new Set(
  `card carddata cardnumber cardno number pan primaryaccountnumber accountnumber cvc cvc2 cvv cvv2 cvn cid csc securitycode
  cardcode cardcvc cardcvv exp expiry expiration expirydate expirationdate expmonth expyear expirymonth expiryyear
  expirationmonth expirationyear cardexpiry cardexp track track1 track2 trackdata magneticstripe`.split(/\s+/),
)

/**
 * Only the form may be sent a card. Whoever sends one elsewhere is told so at once, whatever else is wrong, and the value
 * goes nowhere.
 *
 * @param known names that the route's schema has at its top and that only look like card data
 * @throws ApiError `raw_card_data_not_supported`, with the dotted name
 * @see contract 8, «Raw card fields»
 */
export function refuseCardData(body: unknown, known: ReadonlySet<string>): void {
  const field = findCardLike(body, [], known)
  if (field === null) return
  const text = 'Card data is not accepted here: it may be typed on the hosted form only'
  throw new ApiError('raw_card_data_not_supported', { message: text, errors: { [field]: [text] } })
}

function findCardLike(value: unknown, path: string[], known: ReadonlySet<string>): string | null {
  if (typeof value !== 'object' || value === null) return null
  for (const [key, member] of Object.entries(value)) {
    const here = [...path, key]
    const isKnown = path.length === 0 && known.has(key)
    if (!isKnown && !Array.isArray(value) && CARD_LIKE.has(key.toLowerCase().replace(/[_-]/g, '')))
      return here.join('.')
    if (path.includes('metadata') && looksLikeCardNumber(member)) return here.join('.')
    // The name itself may not be repeated.
    if (path.includes('metadata') && looksLikeCardNumber(key)) return path.join('.')
    const inside = findCardLike(member, here, known)
    if (inside !== null) return inside
  }
  return null
}

/** 13 to 19 digits that pass Luhn, of any network or none, with the spaces and dashes that people write. */
function looksLikeCardNumber(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return false
  const digits = String(value).replace(/[ -]/g, '')
  return /^\d{13,19}$/.test(digits) && passesLuhn(digits)
}
