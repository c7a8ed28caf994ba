import type { Business } from '../businesses/business.ts'

/** Recipient for whom the tokens of a business are encrypted. */
interface Recipient {
  /** Recipient id as it is signed. */
  id: string
  keyOwner: { businessId: string | null }
  /** Value that a payload must name if Rialto is the gateway; otherwise `null`. */
  gatewayMerchantId: string | null
}

/**
 * Returns the recipient of a business's tokens.
 *
 * @param gateway our gateway name at Google; `null` if we are not a gateway
 * @returns `null` for a merchant without its own Google merchant id if Rialto is not a gateway
 * @see GPY-9
 */
export function recipientOf(
  { id, googlePayMerchantId }: Pick<Business, 'id' | 'googlePayMerchantId'>,
  gateway: string | null,
): Recipient | null {
  if (googlePayMerchantId !== null) {
    return { id: `merchant:${googlePayMerchantId}`, keyOwner: { businessId: id }, gatewayMerchantId: null }
  }
  return gateway === null ? null : { id: `gateway:${gateway}`, keyOwner: { businessId: null }, gatewayMerchantId: id }
}

interface Network {
  name: string
  methods: readonly Method[]
  /** All countries if absent. */
  country?: Business['country']
}
type Method = 'PAN_ONLY' | 'CRYPTOGRAM_3DS'

/** Networks by Google's names. Interac is missing: no gateway accepts its cards yet. */
const NETWORKS: readonly Network[] = [
  { name: 'AMEX', methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'] },
  { name: 'DISCOVER', methods: ['PAN_ONLY'] },
  { name: 'JCB', methods: ['PAN_ONLY'] },
  { name: 'MASTERCARD', methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'] },
  { name: 'VISA', methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'] },
]

export const allowedMethods = ({ googlePayCryptogramOnly }: Pick<Business, 'googlePayCryptogramOnly'>): Method[] =>
  googlePayCryptogramOnly ? ['CRYPTOGRAM_3DS'] : ['PAN_ONLY', 'CRYPTOGRAM_3DS']

/** Returns the networks that support one of the allowed methods in the country of the business. */
export function allowedNetworks(business: Pick<Business, 'country' | 'googlePayCryptogramOnly'>): string[] {
  const allowed = allowedMethods(business)
  return NETWORKS.filter(({ country = business.country }) => country === business.country)
    .filter(({ methods }) => methods.some((method) => allowed.includes(method)))
    .map(({ name }) => name)
}
