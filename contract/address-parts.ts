// Which parts an address has in each country, according to the address data of libaddressinput. Separate from the lists
// of places, which the page's script does not load.

/** Countries without postal codes. */
const WITHOUT_POSTAL_CODE =
  'AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GM GQ GY HK KI KM KN KP LY ML MO MR MW NR NU QA RW SB SC SL SR ST SX SY TD TG TK TL TO TV UG VU YE ZW'
/** Countries where many addresses have no postal code. */
const SELDOM_POSTAL_CODE = 'AQ BB BV CO GH GI HM HN IE IQ JM LC MS MZ NA PA PE PG PS SO SV TF TT TZ UM VC VE VG WS'
/** Countries that consist of one city, or where the street is enough. */
const WITHOUT_CITY = 'GI HK KY MO NR SG'
const SELDOM_CITY = 'AD AG SM VG'

const includes = (list: string, country = '') => /^[A-Z]{2}$/.test(country) && list.includes(country)

/** Whether an address in the country may have a postal code. `true` if the country is not known. */
export const hasPostalCode = (country: string | undefined): boolean => !includes(WITHOUT_POSTAL_CODE, country)
export const hasCity = (country: string | undefined): boolean => !includes(WITHOUT_CITY, country)

/** Whether an address in the country is incomplete without a postal code. */
export const needsPostalCode = (country: string | undefined): boolean =>
  hasPostalCode(country) && !includes(SELDOM_POSTAL_CODE, country)
export const needsCity = (country: string | undefined): boolean => hasCity(country) && !includes(SELDOM_CITY, country)
