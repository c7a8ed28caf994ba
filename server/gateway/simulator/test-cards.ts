import { AMOUNT_CENTS, MAGIC_CARDS } from './magic-cards.ts'
import { type ThreeDsTestCard, threeDsTestCards } from './three-ds-test-cards.ts'

export interface TestCard {
  /** In groups, as cards have them. */
  number: string
  code: string
  does: string
}

/** The numbers that the simulator recognizes, for docs/reference/test-cards.md and for the dashboard. */
export const testCards = (): TestCard[] =>
  MAGIC_CARDS.map(({ number, code, does }) => ({ number: grouped(number), code, does }))

/** Of each combination of 3-D Secure the Visa card. Its sale is approved, where the payer is authenticated. */
export const threeDsVisaCards = (): TestCard[] =>
  groupedThreeDsCards().map(({ visa, does, response }) => ({
    number: visa,
    code: response.startsWith('200') ? 'AA' : '–',
    does: `3-D Secure: ${does}`,
  }))

export const groupedThreeDsCards = (): ThreeDsTestCard[] =>
  threeDsTestCards().map((card) => ({
    ...card,
    visa: grouped(card.visa),
    mastercard: grouped(card.mastercard),
    amex: grouped(card.amex),
  }))

/** What the cents of an amount do on the card that depends on them. */
export const centsOutcomes = (): { cents: string; does: string }[] =>
  Object.entries(AMOUNT_CENTS)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([cents, behaviour]) => ({ cents: `.${cents}`, does: behaviour.replaceAll('_', ' ') }))

function grouped(number: string): string {
  return number.length === 15 ? number.replace(/(.{4})(.{6})/, '$1 $2 ') : number.replace(/(.{4})(?=.)/g, '$1 ')
}
