import { ADDRESS_CHECKS, CODE_CHECKS, RESULT_CODES } from '../../../contract/gateway-words.ts'
import { defineTexts, useTexts } from '../texts.ts'
import { en } from './en.ts'

const GATEWAY_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})

/** The words of the gateway and of the ledger, by what they call them. */
export const useGatewayTexts = () => useTexts(GATEWAY_TEXTS)
export type GatewayTexts = ReturnType<typeof useGatewayTexts>

const knownOf = <Word extends string>(words: readonly Word[], word: string) => words.find((one) => one === word)

/** A result code in words; one that is not ours as it is. */
export function codeText(code: string | null, t: GatewayTexts): string | null {
  const known = code === null ? undefined : knownOf(RESULT_CODES, code)
  return known === undefined ? code : `${t[known]} (${known})`
}

/** What the issuer found of the address, in words; a letter that is not ours as it is. */
export function avsText(letter: string | null, t: GatewayTexts): string | null {
  const known = letter === null ? undefined : knownOf(ADDRESS_CHECKS, letter)
  return known === undefined ? letter : t[`avs_${known}`]
}

/** The same for the security code. */
export function cvvText(letter: string | null, t: GatewayTexts): string | null {
  const known = letter === null ? undefined : knownOf(CODE_CHECKS, letter)
  return known === undefined ? letter : t[`cvv_${known}`]
}
