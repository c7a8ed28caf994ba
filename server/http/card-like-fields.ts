import { ApiError } from '../lib/errors.ts'
import { fieldName } from './text-fields.ts'

/** Names that mean card data, compared in lower case and by their letters and digits only. */
const NAMES_OF_CARD_DATA = [
  /^(?:new|payment|credit|debit|bank)?card(?:number|num|no|data|details|info|code|pin)?$/,
  /^(?:number|(?:primary)?accountnumber|cc(?:number|num|no)|pinblock)$/,
  /^(?:full|raw|card|cc)?pan(?:number|num|no)?$/,
  /^(?:card|cc)?(?:cvv|cvc|cvn|cvd|ccv|csc|cid|cav)2?(?:code|number|num|value)?$/,
  /^(?:(?:card)?securitycode|cardverification(?:code|value|number)?|verificationvalue)$/,
  /^(?:card|cc)?(?:exp|expire|expiry|expiration)(?:date|month|year|mm|yy|yyyy|mmyy)?$/,
  /^(?:card)?(?:valid|good)(?:thru|through)$/,
  /^(?:card|mag|magnetic)?track(?:[123]|one|two|three)?(?:data)?[123]?$/,
  /^(?:mag|magnetic)stripe(?:data)?$/,
]
/** One pattern, because a body may have thousands of keys. */
const CARD_LIKE = new RegExp(NAMES_OF_CARD_DATA.map(({ source }) => source).join('|'))
const NO_NAMES: ReadonlySet<string> = new Set()

/**
 * Refuses fields that are named like card data, before any other check of the body. Only the payment form's paths
 * accept cards.
 *
 * @param known top-level names of the route's own schema, which only look like card data
 * @throws ApiError `raw_card_data_not_supported`, with the dotted name
 * @see server/http/text-fields.ts for numbers under any other name
 */
export function refuseCardData(body: unknown, known: ReadonlySet<string> = NO_NAMES): void {
  const field = findCardLike(body, { path: [], known })
  if (field === null) return
  const text = 'Card data is not accepted here. Cards are entered on the hosted payment form only'
  throw new ApiError('raw_card_data_not_supported', { message: text, errors: { [field]: [text] } })
}

interface Place {
  path: string[]
  known: ReadonlySet<string>
}

function findCardLike(value: unknown, { path, known }: Place): string | null {
  if (typeof value !== 'object' || value === null) return null
  for (const [key, member] of Object.entries(value)) {
    const here = [...path, key]
    const isKnown = path.length === 0 && known.has(key)
    if (!isKnown && !Array.isArray(value) && isCardLike(key)) return fieldName(here)
    const inside = findCardLike(member, { path: here, known })
    if (inside !== null) return inside
  }
  return null
}

/** Whether a name, or a part of a flattened one such as `source[card][number]`, means card data. */
function isCardLike(name: string): boolean {
  return (
    CARD_LIKE.test(plain(name)) ||
    (FLATTENED.test(name) && name.split(FLATTENED).some((part) => CARD_LIKE.test(plain(part))))
  )
}

const FLATTENED = /[.[\]]+/

/** Returns a name in its compared form: `Card-Number` and `card[number]` both become `cardnumber`. */
const plain = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
