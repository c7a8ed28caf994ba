import { regionCode } from '../../../contract/places.ts'

/** The billing place of a card, as far as the payer entered it. */
export interface BillingPlace {
  country?: string | undefined
  state?: string | undefined
  postal_code?: string | undefined
}

/** Whether a place is in Quebec, where surcharges are illegal. `canada` means an unknown province of Canada. */
export type PlaceReading = 'quebec' | 'elsewhere' | 'canada' | 'unknown'

const QUEBEC = /^(CA)?(QC|PQ|QUE)$|QUEBEC/

/** Start of a Quebec postal code: it begins with G, H or J and has the form A1A 1A1. */
const QUEBEC_CODE = /^[GHJ]\d[A-Z]/
const QUEBEC_CODE_WHOLE = /^[GHJ]\d[A-Z]\d[A-Z]\d$/
const CANADIAN_CODE = /^[ABCEGHJ-NPRSTVXY]\d[A-Z]/
/** A complete British postcode, because `G1 1AA` is in Glasgow. */
const BRITISH_CODE = /^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/

/** Reads where a place is. Contradictory fields are read as Quebec, because only there is a surcharge illegal. */
export function readPlace({ country = '', state = '', postal_code = '' }: BillingPlace): PlaceReading {
  const where = letters(country)
  const readings = [readState(state, where), readPostalCode(letters(postal_code), where)]
  if (readings.includes('quebec')) return 'quebec'
  if (where !== '' && where !== 'CA') return 'elsewhere'
  if (readings.includes('elsewhere')) return 'elsewhere'
  return where === 'CA' ? 'canada' : 'unknown'
}

/** Returns the place that is most decisive for a surcharge. */
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

/** Whether a postal code cannot be a mistyped Quebec code. */
function isForeignCode(code: string): boolean {
  return BRITISH_CODE.test(code) || (/^[^GHJ].{3,}/.test(code) && /\d/.test(code))
}

/** Normalizes texts such as `Québec`, `ca-qc` and `h2x 1y4` for comparison. */
function letters(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{Nd}]/gu, '')
    .toUpperCase()
}
