import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { threeDsTestCards } from '../../gateway/simulator/three-ds-test-cards.ts'
import { passesLuhn } from '../../lib/luhn.ts'
import { type CardBehaviour, cardBehaviour } from './card-behaviour.ts'
import { threeDsTestCard } from './test-cards.ts'

/** Published numbers of each row: digits, Visa, Mastercard, American Express. */
const PUBLISHED = [
  ['2000', '4000002020000004', '5200002020000009', '340000202000005'],
  ['1100', '4000002011000005', '5200002011000000', '340000201100004'],
  ['3000', '4000002030000002', '5200002030000007', '340000203000004'],
  ['2200', '4000002022000002', '5200002022000007', '340000202200001'],
  ['2300', '4000002023000001', '5200002023000006', '340000202300009'],
  ['2120', '4000002021200009', '5200002021200004', '340000202120001'],
  ['2010', '4000002020100002', '5200002020100007', '340000202010004'],
  ['2130', '4000002021300007', '5200002021300002', '340000202130000'],
  ['2150', '4000002021500002', '5200002021500007', '340000202150008'],
  ['2140', '4000002021400005', '5200002021400000', '340000202140009'],
  ['2160', '4000002021600000', '5200002021600005', '340000202160007'],
  ['2180', '4000002021800006', '5200002021800001', '340000202180005'],
  ['2190', '4000002021900004', '5200002021900009', '340000202190004'],
  ['2070', '4000002020700009', '5200002020700004', '340000202070008'],
  ['2071', '4000002020710008', '5200002020710003', '340000202071006'],
  ['2072', '4000002020720007', '5200002020720002', '340000202072004'],
  ['2073', '4000002020730006', '5200002020730001', '340000202073002'],
  ['2074', '4000002020740005', '5200002020740000', '340000202074000'],
  ['2075', '4000002020750004', '5200002020750009', '340000202075007'],
  ['2076', '4000002020760003', '5200002020760008', '340000202076005'],
  ['2077', '4000002020770002', '5200002020770007', '340000202077003'],
  ['2078', '4000002020780001', '5200002020780006', '340000202078001'],
  ['2079', '4000002020790000', '5200002020790005', '340000202079009'],
  ['0000', '4000002000000008', '5200002000000003', '340000200000007'],
  ['0100', '4000002001000007', '5200002001000002', '340000200100005'],
  ['0200', '4000002002000006', '5200002002000001', '340000200200003'],
] as const

/** Digits for the gateway, each with the number of a frictionless card and of one with a challenge by hand. */
const GATEWAY_DIGITS = [
  ['000', '4000002021000003', '4000002020720007'],
  ['001', '4000002021000011', '4000002020720015'],
  ['002', '4000002021000029', '4000002020720023'],
  ['003', '4000002021000037', '4000002020720031'],
  ['004', '4000002021000045', '4000002020720049'],
  ['005', '4000002021000052', '4000002020720056'],
  ['006', '4000002021000060', '4000002020720064'],
  ['007', '4000002021000078', '4000002020720072'],
  ['008', '4000002021000086', '4000002020720080'],
  ['009', '4000002021000094', '4000002020720098'],
] as const

const NUMBERS = PUBLISHED.flatMap(([, ...numbers]) => numbers)

describe('the test cards of 3-D Secure', () => {
  test('are the published numbers, for three networks, and so are the documented ones', () => {
    deepEqual(
      threeDsTestCards().map(({ visa, mastercard, amex }) => [visa, mastercard, amex]),
      PUBLISHED.map(([, ...numbers]) => numbers),
    )
    deepEqual(
      PUBLISHED.map(([digits]) => [
        digits,
        threeDsTestCard('visa', digits),
        threeDsTestCard('mastercard', digits),
        threeDsTestCard('amex', digits),
      ]),
      PUBLISHED.map((row) => [...row]),
    )
    equal(new Set(NUMBERS).size, 78)
    deepEqual(
      NUMBERS.filter((number) => !passesLuhn(number)),
      [],
    )
  })

  test("with the gateway's digits are the published numbers too, and behave alike", () => {
    for (const [digits, frictionless, challenge] of GATEWAY_DIGITS) {
      equal(threeDsTestCard('visa', '2100', digits), frictionless)
      equal(threeDsTestCard('visa', '2072', digits), challenge)
      equal(cardBehaviour(frictionless).result, 'Y')
      deepEqual(cardBehaviour(challenge), cardBehaviour('4000002020720007'))
    }
  })

  test('of three networks behave alike', () => {
    for (const [, visa, mastercard, amex] of PUBLISHED) {
      deepEqual(cardBehaviour(mastercard), cardBehaviour(visa))
      deepEqual(cardBehaviour(amex), cardBehaviour(visa))
    }
  })

  const MEANINGS: Record<keyof CardBehaviour, [digits: string, meaning: string][]> = {
    enrollment: [
      ['0000', 'not_enrolled'],
      ['0100', 'only_version_1'],
      ['0200', 'lookup_fails'],
      ['1000', '2.1.0'],
      ['2000', '2.2.0'],
      ['3000', '2.3.1'],
    ],
    method: [
      ['2000', 'works'],
      ['2100', 'none'],
      ['2200', 'never_calls_back'],
      ['2300', 'refuses'],
    ],
    result: ['Y', 'N', 'A', 'R', 'I', 'U', 'silent', 'C', 'D', 'error'].map((meaning, digit) => [
      `30${digit}0`,
      meaning,
    ]),
    challenge: [
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
    ].map((meaning, digit) => [`117${digit}`, meaning]),
  }
  for (const [dimension, meanings] of Object.entries(MEANINGS)) {
    test(`each digit of ${dimension} has its meaning, combined with any other`, () => {
      for (const [digits, meaning] of meanings) {
        const behaviour = cardBehaviour(threeDsTestCard('mastercard', digits))
        equal(behaviour[dimension as keyof CardBehaviour], meaning, digits)
      }
    })
  }

  const ORDINARY = { enrollment: '2.2.0', method: 'none', result: 'Y', challenge: 'passes' }
  const OTHERS = [
    ['4242424242424242', {}],
    ['5555555555554444', {}],
    ['4000002040000001', {}],
    ['4000002024000000', {}],
    ['5200002150000000', {}],
    ['4000990000003107', {}],
    ['4000990000003206', { result: 'C', challenge: 'by_hand' }],
    ['4000990000003305', { result: 'A' }],
    ['4000990000003404', { result: 'N' }],
    ['4000990000003503', { result: 'U' }],
    ['4000990000003602', { result: 'R' }],
    ['4000990000003701', { enrollment: 'not_enrolled' }],
    ['4000990000003800', { result: 'error' }],
    ['4000990000003909', { result: 'C', challenge: 'never_returns' }],
    ['4000000000003220', { result: 'C', challenge: 'by_hand' }],
    ['4000002760003184', { result: 'C', challenge: 'by_hand' }],
  ] as const
  for (const [number, change] of OTHERS) {
    test(`${number} is Y in 2.2.0 without a method${Object.keys(change).length > 0 ? ', but for its alias' : ''}`, () => {
      deepEqual(cardBehaviour(number), { ...ORDINARY, ...change })
    })
  }
})
