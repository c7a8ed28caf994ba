import type { Business } from '../businesses/business.ts'

/** Whom tokens of a business are encrypted for. */
interface Recipient {
  /** As it is signed. */
  id: string
  keyOwner: { businessId: string | null }
  /** What a payload must name where Rialto is the gateway; `null` otherwise. */
  gatewayMerchantId: string | null
}

/**
 * @param gateway our name as a gateway at Google, if we are one
 * @returns `null` for a merchant without an id of its own where Rialto is not a gateway
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
  /** Everywhere when absent. */
  country?: Business['country']
}
type Method = 'PAN_ONLY' | 'CRYPTOGRAM_3DS'

/** As Google lists them. Interac is not here: no gateway takes its cards yet. */
const NETWORKS: readonly Network[] = [
  { name: 'AMEX', methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'] },
  { name: 'DISCOVER', methods: ['PAN_ONLY'] },
  { name: 'JCB', methods: ['PAN_ONLY'] },
  { name: 'MASTERCARD', methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'] },
  { name: 'VISA', methods: ['PAN_ONLY', 'CRYPTOGRAM_3DS'] },
]

export const allowedMethods = ({ googlePayCryptogramOnly }: Pick<Business, 'googlePayCryptogramOnly'>): Method[] =>
  googlePayCryptogramOnly ? ['CRYPTOGRAM_3DS'] : ['PAN_ONLY', 'CRYPTOGRAM_3DS']

/** Those that support one of the allowed methods in the country of the business. */
export function allowedNetworks(business: Pick<Business, 'country' | 'googlePayCryptogramOnly'>): string[] {
  const allowed = allowedMethods(business)
  return NETWORKS.filter(({ country = business.country }) => country === business.country)
    .filter(({ methods }) => methods.some((method) => allowed.includes(method)))
    .map(({ name }) => name)
}
