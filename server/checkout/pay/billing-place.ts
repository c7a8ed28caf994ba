import { regionCode } from '../../../contract/places.ts'

/** Where a card is billed, as far as the payer said. */
export interface BillingPlace {
  country?: string | undefined
  state?: string | undefined
  postal_code?: string | undefined
}

/** What a place says of Quebec, where no surcharge is allowed. `canada`: somewhere in Canada, and nobody knows where. */
export type PlaceReading = 'quebec' | 'elsewhere' | 'canada' | 'unknown'

const QUEBEC = /^(CA)?(QC|PQ|QUE)$|QUEBEC/

/** Canadian postal codes of Quebec begin with G, H or J; their form is A1A 1A1. */
const QUEBEC_CODE = /^[GHJ]\d[A-Z]/
const QUEBEC_CODE_WHOLE = /^[GHJ]\d[A-Z]\d[A-Z]\d$/
const CANADIAN_CODE = /^[ABCEGHJ-NPRSTVXY]\d[A-Z]/
/** `G1 1AA` is Glasgow. */
const BRITISH_CODE = /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/

/** Fields that contradict each other are read as Quebec: its law forbids what others only allow. */
export function readPlace({ country = '', state = '', postal_code = '' }: BillingPlace): PlaceReading {
  const where = letters(country)
  const readings = [readState(state, where), readPostalCode(letters(postal_code), where)]
  if (readings.includes('quebec')) return 'quebec'
  if (where !== '' && where !== 'CA') return 'elsewhere'
  if (readings.includes('elsewhere')) return 'elsewhere'
  return where === 'CA' ? 'canada' : 'unknown'
}

/** The place that says the most of a surcharge. */
export function placeToKeep(places: readonly BillingPlace[]): BillingPlace {
  const readings: PlaceReading[] = ['quebec', 'elsewhere', 'canada', 'unknown']
  const [first = {}] = [...places].sort((a, b) => readings.indexOf(readPlace(a)) - readings.indexOf(readPlace(b)))
  return first
}

function readState(state: string, country: string): PlaceReading {
  if (state === '') return 'unknown'
  if (QUEBEC.test(letters(state))) return 'quebec'
  const isElsewhere = regionCode('CA', state) !== null || (country === '' && regionCode('US', state) !== null)
  return isElsewhere ? 'elsewhere' : 'unknown'
}

function readPostalCode(code: string, country: string): PlaceReading {
  if (country === 'CA' && /^[GHJ]/.test(code)) return 'quebec'
  if ((country === '' || country === 'US' ? QUEBEC_CODE : QUEBEC_CODE_WHOLE).test(code)) return 'quebec'
  if (CANADIAN_CODE.test(code)) return 'elsewhere'
  return country === '' && isForeignCode(code) ? 'elsewhere' : 'unknown'
}

/** A code that no slip of the pen makes of one of Quebec. */
function isForeignCode(code: string): boolean {
  return BRITISH_CODE.test(code) || (/^[^GHJ].{3,}/.test(code) && /\d/.test(code))
}

/** `Québec`, `ca-qc` and `h2x 1y4` without what does not count. */
function letters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{Nd}]/gu, '')
    .toUpperCase()
}
