import { MAGIC_CARDS } from '../../server/gateway/simulator/magic-cards.ts'
import { passesLuhn } from '../../server/lib/luhn.ts'

const NUMBERS = MAGIC_CARDS.map(({ number }) => number)
/** Digits as a person may group them, and digits as the hex of their characters (as PostgreSQL prints bytes). */
const DIGITS = /\d(?:[ -]?\d){12,18}/g
const HEX_DIGITS = /(?:3\d){13,19}/g
/** Cards whose digits define their behaviour. */
const CODED = /(?:400000|520000)20\d{8}|34000020\d{7}/g
/** Proofs that are used once, which must not be stored either. */
const PROOF = /(?:cavv|authentication_?value|cryptogram)"?\W{1,4}[A-Za-z0-9+/]{26,27}={1,2}/gi
const CVV = /cvv\d?\W{0,3}[:=]\W{0,3}\d{3,4}\b/gi

/**
 * Finds card numbers of tests in any usual notation, and anything called a CVV or a proof.
 *
 * @returns the findings, without the number
 */
export function findCardData(text: string): string[] {
  const plain = text.match(DIGITS)?.map((run) => run.replace(/[ -]/g, '')) ?? []
  const hex = text.match(HEX_DIGITS)?.map((run) => Buffer.from(run, 'hex').toString()) ?? []
  const runs = [...plain, ...hex].filter(holdsCardNumber)
  const encoded = NUMBERS.filter((number) => text.includes(Buffer.from(number).toString('base64').slice(0, 20)))
  return [
    ...[...runs, ...encoded].map(() => 'a card number'),
    ...(text.match(CVV) ?? []).map(() => 'a CVV'),
    ...(text.match(PROOF) ?? []).map(() => 'a proof'),
  ]
}

function holdsCardNumber(run: string): boolean {
  return NUMBERS.some((number) => run.includes(number)) || (run.match(CODED) ?? []).some(passesLuhn)
}
