import type { MessageVersion, TransStatus } from '../three-ds-server.ts'

/** Behavior of the simulated directory server and bank for a card. */
export interface CardBehaviour {
  /** Newest version that the issuer supports, or why there is none. */
  enrollment: MessageVersion | 'not_enrolled' | 'only_version_1' | 'lookup_fails'
  method: 'works' | 'none' | 'never_calls_back' | 'refuses'
  result: TransStatus | 'C' | 'D' | 'silent' | 'error'
  challenge:
    | 'passes'
    | 'fails'
    | 'by_hand'
    | 'canceled'
    | 'never_returns'
    | 'browser_says_yes'
    | 'garbled'
    | 'unavailable'
    | 'no_result'
    | 'page_fails'
}

// Digits of a card number in order (TDS-18): each list is indexed by its digit.

const ENROLLMENTS = [null, '2.1.0', '2.2.0', '2.3.1'] as const
/** For a card without version 2, the method's digit says why. */
const NOT_VERSION_2 = ['not_enrolled', 'only_version_1', 'lookup_fails'] as const
const METHODS = ['works', 'none', 'never_calls_back', 'refuses'] as const
const RESULTS = ['Y', 'N', 'A', 'R', 'I', 'U', 'silent', 'C', 'D', 'error'] as const
const CHALLENGES = [
  'passes',
  'fails',
  'by_hand',
  'canceled',
  'never_returns',
  'browser_says_yes',
  'garbled',
  'unavailable',
  'no_result',
  'page_fails',
] as const

const DIGITS = /^(?:(?:400000|520000)20(\d{4})\d{4}|34000020(\d{4})\d{3})$/

/** Behavior of numbers without a meaning: authenticated at once. */
const ORDINARY: CardBehaviour = { enrollment: '2.2.0', method: 'none', result: 'Y', challenge: 'passes' }

/** Test cards of the gateway that also have a 3-D Secure behavior. */
const ALIASES: Record<string, Partial<CardBehaviour>> = {
  '4000990000003107': { result: 'Y' },
  '4000990000003206': { result: 'C', challenge: 'by_hand' },
  '4000990000003305': { result: 'A' },
  '4000990000003404': { result: 'N' },
  '4000990000003503': { result: 'U' },
  '4000990000003602': { result: 'R' },
  '4000990000003701': { enrollment: 'not_enrolled' },
  '4000990000003800': { result: 'error' },
  '4000990000003909': { result: 'C', challenge: 'never_returns' },
  '4000000000003220': { result: 'C', challenge: 'by_hand' },
  '4000002760003184': { result: 'C', challenge: 'by_hand' },
}

export function cardBehaviour(number: string): CardBehaviour {
  const digits = DIGITS.exec(number)
  const coded = digits && behaviourOfDigits(digits[1] ?? digits[2] ?? '')
  return coded ?? { ...ORDINARY, ...ALIASES[number] }
}

/** @returns `null` if a digit has no meaning */
function behaviourOfDigits(digits: string): CardBehaviour | null {
  const [v = 0, m = 0, a = 0, c = 0] = [...digits].map(Number)
  const enrollment = v === 0 ? NOT_VERSION_2[m] : ENROLLMENTS[v]
  const method = METHODS[m]
  const [result, challenge] = [RESULTS[a], CHALLENGES[c]]
  return enrollment && method && result && challenge ? { enrollment, method, result, challenge } : null
}
