import { deepEqual, equal, match } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { passesLuhn } from '../../lib/luhn.ts'
import type { StoredCredential } from '../gateway.ts'
import { AMOUNT_CENTS, MAGIC_CARDS } from './magic-cards.ts'
import { openSimulator, type Simulator } from './simulator.ts'
import type { TransactionResponse } from './wire.ts'

const FIRST: StoredCredential = { initiator: 'cardholder', reason: 'recurring', initial: true }
const LATER: StoredCredential = { initiator: 'merchant', reason: 'recurring', initial: false }
const DAY_MS = 86_400_000

// card, outcome of the response, result code, issuer code or delivery, recorded
const SALES: [number: string, outcome: string, code: string, how: string, recorded: boolean][] = [
  ['4242424242424242', 'approved', 'AA', '00', true],
  ['4000001240000000', 'approved', 'AA', '00', true],
  ['4000000000000002', 'declined', 'ND', '05', true],
  ['4000000000009995', 'declined', 'ND', '51', true],
  ['4000000000009987', 'declined', 'NC', '41', true],
  ['4000000000009979', 'declined', 'NC', '43', true],
  ['4000000000000069', 'declined', 'ND', '54', true],
  ['4000000000000127', 'declined', 'N7', 'N7', true],
  ['4000000000000119', 'declined', 'ND', '19', true],
  ['4000990000000103', 'partial', 'AP', '10', true],
  ['4000990000000202', 'partial', 'AC', '10', true],
  ['4000990000002406', 'partial', 'AP', '10', true],
  ['4000990000000301', 'declined', 'NF', '25', true],
  ['4000990000000400', 'declined', 'NR', '01', true],
  ['4000990000000509', 'declined', 'N7', 'N7', true],
  ['4000990000000608', 'declined', 'NC', '04', true],
  ['4000990000000707', 'declined', 'ND', '03', true],
  ['4000990000000806', 'declined', 'ND', 'R1', true],
  ['4000990000000905', 'declined', 'ND', '02', true],
  ['4000990000001309', 'approved', 'AA', 'silence', true],
  ['4000990000001408', 'approved', 'AA', 'silence', false],
  ['4000990000001507', 'approved', 'AA', 'reset', false],
  ['4000990000001606', 'approved', 'AA', 'reset', true],
  ['4000990000001705', 'approved', 'AA', 'half', true],
  ['4000990000001804', 'approved', 'AA', '500', false],
  ['4000990000001903', 'approved', 'AA', '503', true],
  ['4000990000002000', 'approved', 'AA', '200', true],
  ['4000990000002109', 'approved', 'AA', '200', true],
  ['4000990000002208', 'duplicate', '', '', false],
  ['4000990000003107', 'approved', 'AA', '00', true],
  ['4000002760003184', 'approved', 'AA', '00', true],
]

describe('Magic cards', () => {
  test('every number passes the Luhn check and is unique', () => {
    deepEqual(
      MAGIC_CARDS.filter(({ number }) => !passesLuhn(number)),
      [],
    )
    equal(new Set(MAGIC_CARDS.map(({ number }) => number)).size, MAGIC_CARDS.length)
    equal(passesLuhn('4242424242424241'), false)
  })

  test('first six and last four digits identify each magic card', () => {
    equal(new Set(MAGIC_CARDS.map(({ number }) => number.slice(0, 6) + number.slice(-4))).size, MAGIC_CARDS.length)
  })

  test('cards that Stripe does not have are in our own range', () => {
    for (const { number, code } of MAGIC_CARDS) if (code === '–') match(number, /^400099\d{10}$/)
  })

  for (const [number, outcome, code, how, recorded] of SALES) {
    test(`${number}: ${outcome} ${code} ${how}, ${recorded ? 'recorded' : 'not recorded'}`, async () => {
      const { simulator, sell } = await shop(number)
      const { response, delivery } = await sell()
      equal(response.outcome, outcome)
      equal(response.code ?? '', code)
      const travels = typeof delivery === 'object' ? String(delivery.status) : delivery
      equal(delivery === 'response' ? (response.issuerCode ?? '') : travels, how)
      equal(simulator.ledger.rows[0]?.recorded, recorded)
    })
  }

  test('slow cards are decided at once and respond after 20 s', async () => {
    for (const [number, outcome] of [
      ['4000990000001101', 'approved'],
      ['4000990000001200', 'declined'],
    ] as const) {
      const { response, waitMs } = await (await shop(number)).sell()
      equal(response.outcome, outcome)
      equal(waitMs, 20_000)
    }
  })

  test('the response has the AVS result, and the sale is approved', async () => {
    for (const [number, avs] of [
      ['4000000000000010', 'N'],
      ['4000000000000028', 'Z'],
      ['4000000000000036', 'A'],
      ['4000000000000044', 'U'],
      ['4242424242424242', 'Y'],
    ] as const) {
      const { response } = await (await shop(number)).sell()
      deepEqual([response.outcome, response.avs], ['approved', avs])
    }
  })

  test('the response has the funding of the card', async () => {
    for (const [number, funding] of [
      ['4000056655665556', 'debit'],
      ['5200828282828210', 'debit'],
      ['5105105105105100', 'prepaid'],
      ['5555555555554444', 'credit'],
    ] as const) {
      equal((await (await shop(number)).sell()).response.funding, funding)
    }
  })

  test('a sale can be recorded twice under the same reference', async () => {
    const { simulator, sell } = await shop('4000990000002604')
    await sell()
    deepEqual(
      simulator.ledger.rows.map((row) => [row.merchantRef, row.approvedAmount, row.recorded]),
      [
        ['ref-1', 1000, true],
        ['ref-1', 1000, true],
      ],
    )
  })

  test('a response can lack the gateway reference that the ledger has', async () => {
    const { simulator, sell } = await shop('4000990000002505')
    equal((await sell()).response.gatewayRef, undefined)
    equal(simulator.ledger.rows[0]?.gatewayRef, 'SIMTEST-1')
  })

  test('the first void of 4000990000002406 gets no response, and the second is approved', async () => {
    const { simulator, sell } = await shop('4000990000002406')
    const { gatewayRef } = (await sell()).response
    const first = await simulator.handle('void', 'shop', { merchantRef: 'void-1', gatewayRef })
    deepEqual([first.delivery, simulator.ledger.recorded('shop', 'void-1')], ['silence', undefined])
    const second = await simulator.handle('void', 'shop', { merchantRef: 'void-1', gatewayRef })
    deepEqual([second.delivery, simulator.ledger.recorded('shop', 'void-1')?.outcome], ['response', 'approved'])
  })
})

describe('Magic cards on recurring charges', () => {
  // The results of the first and each later charge; `silence` is recorded without a response, `lost` is not recorded.
  const stories: [number: string, ...charges: string[]][] = [
    ['4000990000040000', 'AA', 'ND', 'ND'],
    ['4000990000041008', 'AA', 'ND', 'ND', 'AA', 'ND', 'ND', 'AA'],
    ['4000990000042006', 'AA', 'NC', 'NC'],
    ['4000990000043004', 'AA', 'silence', 'silence'],
    ['4000990000044002', 'AA', 'lost', 'AA', 'lost', 'AA'],
    ['4000000000000341', 'AA', 'ND', 'ND'],
    ['4242424242424242', 'AA', 'AA', 'AA'],
  ]
  for (const [number, ...charges] of stories) {
    test(`${number}: ${charges.join(', ')}`, async () => {
      const { simulator, sell } = await shop(number)
      const seen: string[] = []
      for (const [index] of charges.entries()) {
        const { response, delivery } = await sell({ storedCredential: index === 0 ? FIRST : LATER, cvv: undefined })
        const silent = simulator.ledger.rows.at(-1)?.recorded ? 'silence' : 'lost'
        seen.push(delivery === 'silence' ? silent : (response.code ?? ''))
      }
      deepEqual(seen, charges)
    })
  }

  test('4000990000041008 declines each bill twice, whatever else is charged to the number', async () => {
    const { sell } = await shop('4000990000041008')
    const bill = async (networkTransactionId: string, amount: number) => {
      const { response } = await sell({ amount, storedCredential: { ...LATER, networkTransactionId }, cvv: undefined })
      return response.code
    }
    await sell({ storedCredential: FIRST })
    const seen: (string | undefined)[][] = []
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      seen.push([await bill('NTI-1', 1000), await bill('NTI-2', 1000), await bill('NTI-1', 700)])
    }
    deepEqual(seen, [
      ['ND', 'ND', 'ND'],
      ['ND', 'ND', 'ND'],
      ['AA', 'AA', 'AA'],
    ])
  })

  test('4000000000000341 declines every charge of the stored card, the first one of a subscription included', async () => {
    const { simulator, sell } = await shop('4000000000000341')
    const codes: Record<'typed' | 'stored', Set<string | undefined>> = { typed: new Set(), stored: new Set() }
    codes.typed.add((await sell()).response.code)
    for (const initiator of ['cardholder', 'merchant'] as const)
      for (const reason of ['recurring', 'installment', 'unscheduled'] as const)
        for (const initial of [true, false]) {
          const storedCredential = { initiator, reason, initial }
          const how = initial && initiator === 'cardholder' ? 'typed' : 'stored'
          codes[how].add((await sell({ storedCredential, cvv: undefined })).response.code)
          const verified = await simulator.handle('verify', 'shop', {
            merchantRef: `v-${initiator[0]}-${reason}-${initial}`,
            currency: 'CAD',
            card: { number: '4000000000000341', expMonth: 12, expYear: 2040 },
            storedCredential,
          })
          equal((verified.response as TransactionResponse).outcome, 'approved')
        }
    deepEqual([[...codes.typed], [...codes.stored]], [['AA'], ['ND']])
  })

  test('4000990000001002 declines until three days after its first use', async () => {
    const { simulator, sell } = await shop('4000990000001002')
    equal((await sell()).response.code, 'ND')
    simulator.script.advanceClock(3 * DAY_MS - 60_000)
    equal((await sell()).response.code, 'ND')
    simulator.script.advanceClock(60_000)
    equal((await sell()).response.code, 'AA')
  })
})

describe('Cards by amount, CVV and expiry', () => {
  // cents, result code, delivery of the response, recorded
  const amounts: [cents: string, code: string, delivery: string, recorded: boolean][] = [
    ['00', 'AA', 'response', true],
    ['01', 'NR', 'response', true],
    ['04', 'NC', 'response', true],
    ['05', 'ND', 'response', true],
    ['10', 'AP', 'response', true],
    ['11', 'AC', 'response', true],
    ['14', 'NF', 'response', true],
    ['20', 'AA', 'after 20000 ms', true],
    ['21', 'AA', 'silence', true],
    ['22', 'AA', 'silence', false],
    ['23', 'AA', 'reset', true],
    ['41', 'NC', 'response', true],
    ['43', 'NC', 'response', true],
    ['51', 'ND', 'response', true],
    ['54', 'ND', 'response', true],
    ['61', 'ND', 'response', true],
    ['82', 'N7', 'response', true],
    ['91', 'ND', 'response', true],
    ['99', '', 'response', false],
  ]
  for (const [cents, code, how, recorded] of amounts) {
    test(`4000990000002307 with .${cents} is ${code || 'duplicate'}, ${how}`, async () => {
      const { simulator, sell } = await shop('4000990000002307')
      const { response, delivery, waitMs } = await sell({ amount: 1200 + Number(cents) })
      equal(response.code ?? '', code)
      equal(waitMs > 0 ? `after ${waitMs} ms` : delivery, how)
      equal(simulator.ledger.rows[0]?.recorded, recorded)
    })
  }

  test('every amount of the table is tested', () => {
    deepEqual(
      amounts.map(([cents]) => cents),
      Object.keys(AMOUNT_CENTS).sort(),
    )
  })

  test('cents that are not in the table are approved, and other cards ignore the cents', async () => {
    equal((await (await shop('4000990000002307')).sell({ amount: 1233 })).response.code, 'AA')
    equal((await (await shop('4242424242424242')).sell({ amount: 1205 })).response.code, 'AA')
  })

  const cvvs: [number: string, cvv: string | undefined, code: string, response: string | undefined][] = [
    ['4242424242424242', '123', 'AA', 'M'],
    ['4242424242424242', '999', 'AA', 'M'],
    ['4242424242424242', '000', 'N7', 'N'],
    ['378282246310005', '0000', 'N7', 'N'],
    ['4242424242424242', '001', 'AA', 'P'],
    ['4242424242424242', undefined, 'AA', undefined],
    ['4000000000000101', '123', 'N7', 'N'],
    ['4000000000000101', '999', 'AA', 'M'],
    ['4000000000000101', undefined, 'AA', undefined],
    ['4000000000000127', undefined, 'N7', undefined],
  ]
  for (const [number, cvv, code, expected] of cvvs) {
    test(`${number} with CVV ${cvv ?? 'left out'} is ${code}`, async () => {
      const { response } = await (await shop(number)).sell({ cvv })
      deepEqual([response.code, response.cvv], [code, expected])
    })
  }

  test('a card is valid until the end of its expiry month by the clock of the simulator', async () => {
    const { sell } = await shop('4242424242424242', new Date('2026-11-30T23:59:59Z'))
    equal((await sell({ expMonth: 11, expYear: 2026 })).response.code, 'AA')
    equal((await sell({ expMonth: 10, expYear: 2026 })).response.issuerCode, '54')
    const later = await shop('4242424242424242', new Date('2026-12-01T00:00:00Z'))
    equal((await later.sell({ expMonth: 11, expYear: 2026 })).response.issuerCode, '54')
  })
})

async function shop(number: string, now = new Date('2026-11-15T12:00:00Z')) {
  const clock = { now: () => now, monotonicMs: () => 0 }
  const simulator: Simulator = await openSimulator({ clock, seed: 'TEST' })
  let sold = 0
  async function sell(change: Record<string, unknown> = {}) {
    const { expMonth = 12, expYear = 2040, ...rest } = change
    sold += 1
    const card = { number, expMonth, expYear }
    const sale = { merchantRef: `ref-${sold}`, amount: 1000, currency: 'USD', card, cvv: '123', ...rest }
    const { response, delivery, waitMs } = await simulator.handle('sale', 'shop', sale)
    return { response: response as TransactionResponse, delivery, waitMs }
  }
  return { simulator, sell }
}
