// Countries, and the states and provinces of the US and Canada, where merchants are.

/** ISO 3166-1 alpha-2 codes, and XK, the usual code of Kosovo. */
export const COUNTRIES: readonly string[] =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  )

/** States, territories and armed forces regions, as the postal service writes them. */
export const US_STATES =
  'AL Alabama,AK Alaska,AS American Samoa,AZ Arizona,AR Arkansas,AA Armed Forces Americas,AE Armed Forces Europe,AP Armed Forces Pacific,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,GU Guam,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,MP Northern Mariana Islands,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,PR Puerto Rico,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VI U.S. Virgin Islands,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming'

export const PROVINCES =
  'AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NT Northwest Territories,NS Nova Scotia,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,SK Saskatchewan,YT Yukon'
export const PROVINCES_FRENCH =
  'AB Alberta,BC Colombie-Britannique,PE Île-du-Prince-Édouard,MB Manitoba,NB Nouveau-Brunswick,NS Nouvelle-Écosse,NU Nunavut,ON Ontario,QC Québec,SK Saskatchewan,NL Terre-Neuve-et-Labrador,NT Territoires du Nord-Ouest,YT Yukon'

const COUNTRY_CODES = new Set(COUNTRIES)
const REGIONS = { US: codesOf(US_STATES), CA: codesOf(`${PROVINCES},${PROVINCES_FRENCH}`) }
const POSTAL_CODES = {
  US: /^\d{5}(?:-?\d{4})?$/,
  CA: /^[ABCEGHJ-NPRSTVXY]\d[ABCEGHJ-NPRSTV-Z][ -]?\d[ABCEGHJ-NPRSTV-Z]\d$/i,
}

export const isCountry = (code: string): boolean => COUNTRY_CODES.has(code)

/** Whether the states and postal codes of the country are known here. */
export const isKnownCountry = (code: string | undefined): code is 'US' | 'CA' => code === 'US' || code === 'CA'

/**
 * Returns the code of a state or province that is given by code, by name or as `US-NY`; `null` if the country does not
 * have it.
 */
export function regionCode(country: 'US' | 'CA', text: string): string | null {
  return REGIONS[country].get(plain(text.trim().replace(new RegExp(`^${country}-`, 'i'), ''))) ?? null
}

export function isPostalCode(country: 'US' | 'CA', text: string): boolean {
  return POSTAL_CODES[country].test(text.trim())
}

/** Returns a postal code in the usual spelling: `A1A 1A1` in Canada. */
export function tidyPostalCode(country: string | undefined, text: string): string {
  const code = text.trim()
  if (country !== 'CA' || !isPostalCode('CA', code)) return code
  const letters = code.replace(/[ -]/g, '').toUpperCase()
  return `${letters.slice(0, 3)} ${letters.slice(3)}`
}

function codesOf(list: string): Map<string, string> {
  return new Map(
    list.split(',').flatMap((region) => {
      const [code, name] = [region.slice(0, 2), region.slice(3)]
      return [code, name].map((text) => [plain(text), code] as const)
    }),
  )
}

/** Returns the text without case and accents. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
