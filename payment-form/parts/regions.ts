import type { Locale } from '../../contract/payment-page.ts'
import { option } from './field.ts'

/** ISO 3166-1, without territories that have no postal service of their own. */
const COUNTRIES =
  'AD AE AF AG AI AL AM AO AR AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BW BY BZ CA CD CF CG CH CI CK CL CM CN CO CR CU CV CW CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GT GU GW GY HK HN HR HT HU ID IE IL IM IN IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TG TH TJ TL TM TN TO TR TT TV TW TZ UA UG US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW'.split(
    ' ',
  )

const US_STATES =
  'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,GU Guam,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,PR Puerto Rico,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VI U.S. Virgin Islands,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming'
const PROVINCES =
  'AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NT Northwest Territories,NS Nova Scotia,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,SK Saskatchewan,YT Yukon'
const PROVINCES_FRENCH =
  'AB Alberta,BC Colombie-Britannique,PE Île-du-Prince-Édouard,MB Manitoba,NB Nouveau-Brunswick,NS Nouvelle-Écosse,NU Nunavut,ON Ontario,QC Québec,SK Saskatchewan,NL Terre-Neuve-et-Labrador,NT Territoires du Nord-Ouest,YT Yukon'

const countryOptionsByLocale = new Map<Locale, { code: string; name: string }[]>()

/** All countries by name in the payer's language, the United States and Canada first. */
export function countryOptions(locale: Locale, selected: string): string {
  return countries(locale)
    .map(({ code, name }) => option(code, name, code === selected))
    .join('')
}

function countries(locale: Locale) {
  const known = countryOptionsByLocale.get(locale)
  if (known) return known
  const names = new Intl.DisplayNames(locale, { type: 'region' })
  const isNear = (code: string) => code === 'US' || code === 'CA'
  const sorted = COUNTRIES.map((code) => ({ code, name: names.of(code) ?? code })).sort(
    (a, b) => Number(isNear(b.code)) - Number(isNear(a.code)) || a.name.localeCompare(b.name, locale),
  )
  countryOptionsByLocale.set(locale, sorted)
  return sorted
}

export function regionOptions(country: 'US' | 'CA', locale: Locale, choose: string): string {
  const provinces = locale === 'fr-CA' ? PROVINCES_FRENCH : PROVINCES
  const regions = (country === 'US' ? US_STATES : provinces).split(',')
  return option('', choose) + regions.map((region) => option(region.slice(0, 2), region.slice(3))).join('')
}
