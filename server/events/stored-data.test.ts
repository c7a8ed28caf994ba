import { deepEqual, equal, throws } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { LEFT_OUT, readStoredData, storedData } from './stored-data.ts'

const type = 'checkout.session.completed' as const
const members = LEFT_OUT.get(1)?.members ?? {}
const transaction = { id: 'p', transactionID: 'p', receipt_id: 'R', receiptID: 'R', code: 'AA', response_code: 'AA' }
const session = (more: object) => ({ object: { id: 'a', session_status: 'COMPLETED', ...members, ...more } })

describe('The stored data of an event of a session (EVT-31)', () => {
  for (const [what, more] of Object.entries({
    'with nothing but usual values': {},
    'with values': {
      customer_name: 'Ana Roy',
      metadata: { order: '42' },
      line_items: [{ name: 'Pen' }],
      surcharge: {},
    },
    'with other values that are as good as none': {
      description: '',
      amount_tax: 0,
      metadata: null,
      line_items: {},
      currency: 'CAD',
    },
    'with a member that no list has': { latest: null, also: [] },
    'with its transaction': { transaction: { ...transaction, details: { amount: 1 } } },
  })) {
    test(`${what} is read as it was recorded`, () => {
      const data = session(more)
      const stored = JSON.parse(JSON.stringify(storedData({ type, data })))
      deepEqual(readStoredData(stored), data)
      equal(stored.left_out, 1)
    })
  }

  test('has no member with its usual value', () => {
    deepEqual(storedData({ type, data: session({ customer_name: 'Ana Roy', latest: null }) }), {
      object: { id: 'a', session_status: 'COMPLETED', customer_name: 'Ana Roy', latest: null },
      left_out: 1,
    })
  })

  test('is whole when the object does not have a member of the list, which would appear', () => {
    const { consent: _, ...object } = session({}).object as Record<string, unknown>
    deepEqual(storedData({ type, data: { object } }), { object })
    deepEqual(storedData({ type, data: session({ consent: undefined }) }), session({ consent: undefined }))
  })

  test('has the members of its transaction once', () => {
    const stored = storedData({ type, data: session({ transaction }) }).object as { transaction?: object }
    deepEqual(stored.transaction, { id: 'p', receipt_id: 'R', code: 'AA' })
  })

  test('is whole when a member of its transaction does not repeat the other', () => {
    for (const more of [{ response_code: 'ND' }, { receiptID: undefined }, { id: 'q' }]) {
      const data = session({ transaction: { ...transaction, ...more } })
      deepEqual(storedData({ type, data }), data)
    }
  })

  test('keeps what stands beside the object', () => {
    const data = { ...session({}), previous_attributes: { consent: null } }
    deepEqual(readStoredData(storedData({ type, data })), data)
  })

  test('is the data itself for other types, and for an event that was recorded whole', () => {
    const data = { object: { customer_name: null, metadata: {} } }
    deepEqual(storedData({ type: 'customer.created', data }), data)
    deepEqual(readStoredData(data), data)
  })

  test('is refused when its list is unknown', () => throws(() => readStoredData({ object: {}, left_out: 0 })))
})

// Stored events would change with the list. A changed list gets the next number.
test('the lists of members that are left out never change', () => {
  const hashes = [...LEFT_OUT].map(([number, list]) => [
    number,
    createHash('sha256').update(JSON.stringify(list)).digest('hex').slice(0, 16),
  ])
  deepEqual(hashes, [[1, 'fe05bb034897f504']])
})
