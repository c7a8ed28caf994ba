import type { Tx } from '../db/transaction.ts'
import type { Clock } from '../lib/clock.ts'
import { invalidField } from '../lib/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Currency } from '../lib/money.ts'
import type { Business, Country } from './business.ts'
import { insertBusiness } from './business-queries.ts'
import { insertTerminals } from './terminal-queries.ts'

const CURRENCIES: readonly Currency[] = ['USD', 'CAD']
const COUNTRIES: readonly Country[] = ['US', 'CA']
const NAME_CHARACTERS_MAX = 255
/** The only gateway that needs no contract with an acquirer. */
const GATEWAY = 'simulator'

type Optional = Pick<
  Business,
  'province' | 'locale' | 'termsUrl' | 'privacyUrl' | 'supportEmail' | 'supportPhone' | 'logoUrl' | 'brandColor'
>
export type NewBusiness = Pick<Business, 'name' | 'currency' | 'country' | 'timeZone'> & Partial<Optional>

/**
 * Opens a business with a terminal in each currency.
 *
 * @param db an open transaction: whoever signs a merchant up adds users and clients in the same one
 * @throws ApiError `validation_failed` naming the field
 */
export async function createBusiness({ db, clock }: { db: Tx; clock: Clock }, wanted: NewBusiness): Promise<Business> {
  checkBusiness(wanted)
  const business: Business = { ...DEFAULTS, ...wanted, id: newId() }
  const createdAt = clock.now()
  await insertBusiness(db, business, createdAt)
  await insertTerminals(db, business.id, terminalsOf(business), createdAt)
  return business
}

const DEFAULTS = {
  province: null,
  locale: null,
  surchargeRateBp: null,
  threeDsEnabled: false,
  termsUrl: null,
  privacyUrl: null,
  supportEmail: null,
  supportPhone: null,
  logoUrl: null,
  brandColor: null,
  clockOffsetSeconds: 0,
}

function checkBusiness({ name, currency, country, timeZone, ...rest }: NewBusiness): void {
  if (name.trim() === '' || name.length > NAME_CHARACTERS_MAX) {
    throw invalidField('name', `must have 1 to ${NAME_CHARACTERS_MAX} characters`)
  }
  if (!CURRENCIES.includes(currency)) throw invalidField('currency', `must be one of ${CURRENCIES.join(', ')}`)
  if (!COUNTRIES.includes(country)) throw invalidField('country', `must be one of ${COUNTRIES.join(', ')}`)
  if (!isTimeZone(timeZone)) throw invalidField('time_zone', 'must be an IANA name, such as America/New_York')
  for (const [field, url] of [
    ['terms_url', rest.termsUrl],
    ['privacy_url', rest.privacyUrl],
    ['logo_url', rest.logoUrl],
  ]) {
    if (field && url && !isHttpsUrl(url)) throw invalidField(field, 'must be an https URL')
  }
}

const isHttpsUrl = (text: string) => URL.canParse(text) && new URL(text).protocol === 'https:'

function isTimeZone(name: string): boolean {
  // Intl also takes fixed offsets, which know no daylight saving time.
  if (!/^[A-Z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}

/** The end of the business's id makes the codes differ: the simulator keeps one ledger for all businesses. */
function terminalsOf({ id }: Business) {
  return CURRENCIES.map((currency) => ({
    id: newId(),
    currency,
    gateway: GATEWAY,
    merchantCode: `SIM-${currency}-${id.slice(-12)}`,
  }))
}
