import type { TestCard, TestCards } from '../../../contract/dashboard/test-tools-api.ts'
import { AMOUNT_CENTS, MAGIC_CARDS } from './magic-cards.ts'
import { type ThreeDsTestCard, threeDsTestCards } from './three-ds-test-cards.ts'

/** Returns the numbers that the simulator recognizes, for docs/reference/test-cards.md and the dashboard. */
export const testCards = (): TestCard[] =>
  MAGIC_CARDS.map(({ number, code, effect }) => ({ number: grouped(number), code, effect, is_three_ds: false }))

/** Returns the Visa card for each combination of 3-D Secure. Its sale is approved if the payer is authenticated. */
export const threeDsVisaCards = (): TestCard[] =>
  groupedThreeDsCards().map(({ visa, effect, response }) => ({
    number: visa,
    code: response.startsWith('200') ? 'AA' : '–',
    effect,
    is_three_ds: true,
  }))

export const groupedThreeDsCards = (): ThreeDsTestCard[] =>
  threeDsTestCards().map((card) => ({
    ...card,
    visa: grouped(card.visa),
    mastercard: grouped(card.mastercard),
    amex: grouped(card.amex),
  }))

/** Returns the effects of the cents of an amount, for the card whose behaviour depends on them. */
export const centsOutcomes = (): TestCards['cents'] =>
  Object.entries(AMOUNT_CENTS)
    .sort(([a], [b]) => Number(a) - Number(b))
    .map(([cents, effect]) => ({ cents: `.${cents}`, effect }))

function grouped(number: string): string {
  return number.length === 15 ? number.replace(/(.{4})(.{6})/, '$1 $2 ') : number.replace(/(.{4})(?=.)/g, '$1 ')
}
