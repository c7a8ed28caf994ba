import { ADDRESS_CHECKS, CODE_CHECKS, RESULT_CODES } from '../../../contract/gateway-words.ts'
import { defineTexts, useTexts } from '../texts.ts'
import { en } from './en.ts'

const GATEWAY_TEXTS = defineTexts(en, {
  'fr-CA': () => import('./fr-CA.ts'),
  es: () => import('./es.ts'),
})

/** Texts for the codes of the gateway and of the ledger. */
export const useGatewayTexts = () => useTexts(GATEWAY_TEXTS)
export type GatewayTexts = ReturnType<typeof useGatewayTexts>

const knownOf = <Word extends string>(words: readonly Word[], word: string) => words.find((one) => one === word)

/** Describes a result code; an unknown one is returned as it is. */
export function codeText(code: string | null, t: GatewayTexts): string | null {
  const known = code === null ? undefined : knownOf(RESULT_CODES, code)
  return known === undefined ? code : `${t[known]} (${known})`
}

/** Describes the issuer's result for the address; an unknown letter is returned as it is. */
export function avsText(letter: string | null, t: GatewayTexts): string | null {
  const known = letter === null ? undefined : knownOf(ADDRESS_CHECKS, letter)
  return known === undefined ? letter : t[`avs_${known}`]
}

/** Describes the issuer's result for the security code; an unknown letter is returned as it is. */
export function cvvText(letter: string | null, t: GatewayTexts): string | null {
  const known = letter === null ? undefined : knownOf(CODE_CHECKS, letter)
  return known === undefined ? letter : t[`cvv_${known}`]
}
