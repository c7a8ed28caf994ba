import { withCheckDigit } from '../../lib/luhn.ts'

/** One combination of the digits of coded cards, for docs/reference/test-cards.md. */
export interface ThreeDsTestCard extends Record<CodedBrand, string> {
  does: string
  /** `transStatus` of the response, and of the challenge's result. */
  result: string
  /** Of `init` or `authenticate`. */
  response: string
}

type CodedBrand = keyof typeof PREFIXES

const PREFIXES = { visa: '400000', mastercard: '520000', amex: '340000' } as const
const FAILED = '400 `three_ds_failed`'
const NOT_SUPPORTED = '403 `DDD_NOT_SUPPORTED`'
const EXPIRED = '408 `three_ds_expired`'
const SERVER_ERROR = '502 `three_ds_server_error`'

/** Digits for version, method, result and challenge. */
const ROWS: [digits: string, does: string, result: string, response: string][] = [
  ['2000', 'Authenticated after the method, 2.2.0', 'Y', '200'],
  ['1100', 'Authenticated without a method, 2.1.0', 'Y', '200'],
  ['3000', 'Authenticated after the method, 2.3.1', 'Y', '200'],
  ['2200', 'The method never calls back; authenticated after its 10 s', 'Y', '200'],
  ['2300', "The method's host refuses connections; authenticated", 'Y', '200'],
  ['2120', 'Attempted, with proof', 'A', '200'],
  ['2010', 'Not authenticated', 'N', FAILED],
  ['2130', 'Rejected: not again with this card', 'R', FAILED],
  ['2150', 'Unavailable', 'U', FAILED],
  ['2140', 'Informational only', 'I', FAILED],
  ['2160', 'The directory server is silent', '–', SERVER_ERROR],
  ['2180', 'Decoupled, which is never requested', 'D', SERVER_ERROR],
  ['2190', 'The 3-D Secure server responds with error 203', '–', SERVER_ERROR],
  ['2070', 'Challenge that passes by itself', 'C, Y', '200'],
  ['2071', 'Challenge that fails', 'C, N', FAILED],
  ['2072', 'Challenge with the code by hand', 'C, Y or N', `200 or ${FAILED}`],
  ['2073', 'The payer cancels the challenge', 'C, N', FAILED],
  ['2074', 'The bank never returns from the challenge', 'C', EXPIRED],
  ['2075', 'The browser says Y, the server says N', 'C, N', FAILED],
  ['2076', 'What the browser brings is garbled, the server says Y', 'C, Y', '200'],
  ['2077', 'The challenge ends as unavailable', 'C, U', FAILED],
  ['2078', 'The result of the challenge never arrives', 'C', SERVER_ERROR],
  ['2079', "The bank's page responds with HTTP 500", 'C', EXPIRED],
  ['0000', 'The card does not take part', '–', NOT_SUPPORTED],
  ['0100', 'The card takes part only in version 1.0.2', '–', NOT_SUPPORTED],
  ['0200', 'The lookup fails', '–', SERVER_ERROR],
]

export const threeDsTestCards = (): ThreeDsTestCard[] =>
  ROWS.map(([digits, does, result, response]) => {
    const of = (brand: CodedBrand) => codedCard(brand, digits)
    return { visa: of('visa'), mastercard: of('mastercard'), amex: of('amex'), does, result, response }
  })

function codedCard(brand: CodedBrand, digits: string): string {
  return withCheckDigit(`${PREFIXES[brand]}20${digits}${brand === 'amex' ? '00' : '000'}`)
}
