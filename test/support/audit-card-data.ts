import { MAGIC_CARDS } from '../../server/gateway/simulator/magic-cards.ts'

const NUMBERS = MAGIC_CARDS.map(({ number }) => number)
/** Digits as a person may group them, and digits as the hex of their characters (how PostgreSQL prints bytes). */
const DIGITS = /\d(?:[ -]?\d){12,18}/g
const HEX_DIGITS = /(?:3\d){13,19}/g
const CVV = /cvv\d?\W{0,3}[:=]\W{0,3}\d{3,4}\b/gi

/** @returns what was found, without the number: card numbers of tests in any usual writing, and anything called a CVV */
export function findCardData(text: string): string[] {
  const plain = text.match(DIGITS)?.map((run) => run.replace(/[ -]/g, '')) ?? []
  const hex = text.match(HEX_DIGITS)?.map((run) => Buffer.from(run, 'hex').toString()) ?? []
  const runs = [...plain, ...hex].filter(holdsCardNumber)
  const encoded = NUMBERS.filter((number) => text.includes(Buffer.from(number).toString('base64').slice(0, 20)))
  return [...[...runs, ...encoded].map(() => 'a card number'), ...(text.match(CVV) ?? []).map(() => 'a CVV')]
}

function holdsCardNumber(run: string): boolean {
  return NUMBERS.some((number) => run.includes(number))
}
