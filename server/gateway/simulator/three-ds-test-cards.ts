import { TEST_CARD_TEXTS, type TestCardEffect } from '../../../contract/dashboard/test-card-texts.ts'
import { withCheckDigit } from '../../lib/luhn.ts'

/** One combination of the digits of coded cards, for docs/reference/test-cards.md. */
export interface ThreeDsTestCard extends Record<CodedBrand, string> {
  effect: TestCardEffect
  /** Description of the effect, in English. */
  does: string
  /** `transStatus` of the response, and then of the challenge's result. */
  result: string
  /** Status and error code of the response of `init` or `authenticate`. */
  response: string
}

type CodedBrand = keyof typeof PREFIXES

const PREFIXES = { visa: '400000', mastercard: '520000', amex: '340000' } as const
const FAILED = '400 `three_ds_failed`'
const NOT_SUPPORTED = '403 `DDD_NOT_SUPPORTED`'
const EXPIRED = '408 `three_ds_expired`'
const SERVER_ERROR = '502 `three_ds_server_error`'

/** Digits for version, method, result and challenge. */
const ROWS: [digits: string, effect: TestCardEffect, result: string, response: string][] = [
  ['2000', 'coded_after_method', 'Y', '200'],
  ['1100', 'coded_without_method', 'Y', '200'],
  ['3000', 'coded_after_method_231', 'Y', '200'],
  ['2200', 'coded_method_silent', 'Y', '200'],
  ['2300', 'coded_method_refuses', 'Y', '200'],
  ['2120', 'coded_attempted', 'A', '200'],
  ['2010', 'coded_not_authenticated', 'N', FAILED],
  ['2130', 'coded_rejected', 'R', FAILED],
  ['2150', 'coded_unavailable', 'U', FAILED],
  ['2140', 'coded_informational', 'I', FAILED],
  ['2160', 'coded_directory_silent', '–', SERVER_ERROR],
  ['2180', 'coded_decoupled', 'D', SERVER_ERROR],
  ['2190', 'coded_server_error', '–', SERVER_ERROR],
  ['2070', 'coded_challenge_passes', 'C, Y', '200'],
  ['2071', 'coded_challenge_fails', 'C, N', FAILED],
  ['2072', 'coded_challenge_by_hand', 'C, Y or N', `200 or ${FAILED}`],
  ['2073', 'coded_challenge_canceled', 'C, N', FAILED],
  ['2074', 'coded_challenge_no_return', 'C', EXPIRED],
  ['2075', 'coded_challenge_browser_yes', 'C, N', FAILED],
  ['2076', 'coded_challenge_garbled', 'C, Y', '200'],
  ['2077', 'coded_challenge_unavailable', 'C, U', FAILED],
  ['2078', 'coded_challenge_no_result', 'C', SERVER_ERROR],
  ['2079', 'coded_challenge_bank_fails', 'C', EXPIRED],
  ['0000', 'coded_no_part', '–', NOT_SUPPORTED],
  ['0100', 'coded_version_1', '–', NOT_SUPPORTED],
  ['0200', 'coded_lookup_fails', '–', SERVER_ERROR],
]

export const threeDsTestCards = (): ThreeDsTestCard[] =>
  ROWS.map(([digits, effect, result, response]) => {
    const of = (brand: CodedBrand) => codedCard(brand, digits)
    const does = TEST_CARD_TEXTS[effect]
    return { visa: of('visa'), mastercard: of('mastercard'), amex: of('amex'), effect, does, result, response }
  })

function codedCard(brand: CodedBrand, digits: string): string {
  return withCheckDigit(`${PREFIXES[brand]}20${digits}${brand === 'amex' ? '00' : '000'}`)
}
