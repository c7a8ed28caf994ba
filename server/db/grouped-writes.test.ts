import { deepEqual, equal, rejects } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { groupedWrites } from './grouped-writes.ts'

const refused = Object.assign(new Error('refused'), { severity: 'ERROR' })
const away = Object.assign(new Error('Connection terminated'), { code: 'ECONNRESET' })

/** Opens grouped writes whose rows are numbers. Another writer holds the odd ones, so no group can write them. */
function open({
  together = async () => {},
  alone = async () => {},
}: Partial<Record<'together' | 'alone', Write>> = {}) {
  const groups: number[][] = []
  const singles: number[] = []
  const write = groupedWrites<number, string>({
    async together(rows) {
      groups.push([...rows])
      await together(rows)
      return rows.map((row) => (row % 2 === 0 ? `${row} together` : undefined))
    },
    async alone(row) {
      singles.push(row)
      await alone([row])
      return `${row} alone`
    },
  })
  return { groups, singles, write }
}

type Write = (rows: readonly number[]) => Promise<void>

describe('Grouped writes', () => {
  test('rows of one turn of the event loop are one group, and those that come meanwhile are the next', async () => {
    const first = Promise.withResolvers<void>()
    const { groups, write } = open({ together: (rows) => (rows.includes(2) ? first.promise : Promise.resolve()) })
    const writes = [write(2), write(4)]
    await nextTurn()
    await nextTurn()
    writes.push(write(6), write(8))
    await nextTurn()
    deepEqual(groups, [[2, 4]])
    first.resolve()
    deepEqual(await Promise.all(writes), ['2 together', '4 together', '6 together', '8 together'])
    deepEqual(groups, [
      [2, 4],
      [6, 8],
    ])
    equal(await write(10), '10 together')
  })

  test('a row that a group cannot write is written alone, and nobody waits for it', async () => {
    const held = Promise.withResolvers<void>()
    const { write } = open({ alone: () => held.promise })
    const waiting = write(1)
    deepEqual(await Promise.all([write(2), write(4)]), ['2 together', '4 together'])
    equal(await write(6), '6 together')
    held.resolve()
    equal(await waiting, '1 alone')
  })

  test('each row of a group that is refused is written alone, and fails alone', async () => {
    const { write, singles } = open({
      together: async (rows) => {
        if (rows.includes(4)) throw refused
      },
      alone: async ([row]) => {
        if (row === 4) throw refused
      },
    })
    const [two, four] = [write(2), write(4)]
    await rejects(four, refused)
    equal(await two, '2 alone')
    deepEqual(singles, [2, 4])
    equal(await write(6), '6 together')
  })

  test('a group that may be committed is not written again: each row gets the error', async () => {
    const { write, singles } = open({
      together: async (rows) => {
        if (rows.includes(4)) throw away
      },
    })
    const [two, four] = [write(2), write(4)]
    await rejects(two, away)
    await rejects(four, away)
    deepEqual(singles, [])
    equal(await write(6), '6 together')
  })
})
