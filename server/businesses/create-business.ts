import { CORNER_RADIUS } from '../../contract/page-look.ts'
import type { Tx } from '../db/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import { newId } from '../lib/ids.ts'
import type { Business } from './business.ts'
import { insertBusiness } from './business-queries.ts'
import { CURRENCIES, checkBusiness } from './check-business.ts'
import { insertTerminals } from './terminal-queries.ts'

/** The only gateway that needs no contract with an acquirer. */
const GATEWAY = 'simulator'

type Optional = Pick<
  Business,
  'province' | 'locale' | 'termsUrl' | 'privacyUrl' | 'supportEmail' | 'supportPhone' | 'brandColor'
>
export type NewBusiness = Pick<Business, 'name' | 'currency' | 'country' | 'timeZone'> & Partial<Optional>

/**
 * Creates a business with a terminal in each currency.
 *
 * @param db an open transaction, because signing up a merchant also adds users and clients
 * @throws ApiError `validation_failed` naming the field
 */
export async function createBusiness({ db, clock }: { db: Tx; clock: Clock }, wanted: NewBusiness): Promise<Business> {
  const business: Business = { ...DEFAULTS, ...wanted, id: newId() }
  checkBusiness(business)
  const createdAt = clock.now()
  await insertBusiness(db, business, createdAt)
  await insertTerminals(db, business.id, terminalsOf(business), createdAt)
  return business
}

const DEFAULTS = {
  province: null,
  locale: null,
  surchargeRateBp: null,
  defaultTaxRatePpm: null,
  firstCharge: 'on_start_date' as const,
  afterLastRetry: 'keep' as const,
  surchargeRounding: 'half_up' as const,
  billingRunLocalTime: '00:00',
  missedDatesMax: 3,
  batchCloseTime: null,
  cvvPolicy: 'accept' as const,
  avsPolicy: 'accept' as const,
  savedCardCvvRequired: false,
  threeDsEnabled: false,
  threeDsAbove: null,
  googlePayEnabled: false,
  googlePayMerchantId: null,
  googlePayCryptogramOnly: false,
  termsUrl: null,
  privacyUrl: null,
  supportEmail: null,
  supportPhone: null,
  logoHash: null,
  brandColor: null,
  colorScheme: 'auto' as const,
  cornerRadius: CORNER_RADIUS.usual,
  fontStack: 'system' as const,
  newCardsRefusedUntil: null,
  clockOffsetSeconds: 0,
}

/**
 * Returns the terminals. The end of the business's id makes their codes unique, because the simulator has one ledger
 * for all businesses.
 */
function terminalsOf({ id }: Business) {
  return CURRENCIES.map((currency) => ({
    id: newId(),
    currency,
    gateway: GATEWAY,
    merchantCode: `SIM-${currency}-${id.slice(-12)}`,
  }))
}
