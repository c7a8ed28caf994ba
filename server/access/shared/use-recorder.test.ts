import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pino } from 'pino'
import { movableClock } from '../../../test/support/movable-clock.ts'
import { createUseRecorder } from './use-recorder.ts'

function recording(write: () => Promise<void> = async () => {}) {
  const clock = movableClock()
  const [written, lines]: [string[], string[]] = [[], []]
  const log = pino({}, { write: (line: string) => void lines.push(line) })
  const recorder = createUseRecorder<{ name: string; from: string }>(
    { clock, log },
    {
      what: 'a key',
      nameOf: ({ name }) => name,
      write: ({ name, from, at, unlessSince }) => {
        written.push(`${name} ${from} ${(at.getTime() - unlessSince.getTime()) / 1_000}`)
        return write()
      },
    },
  )
  const record = async (name: string, from: string) => {
    recorder.record({ name, from })
    await recorder.flushed()
  }
  return { clock, written, lines, record }
}

describe('The last use of a credential', () => {
  test('is written once a minute for each, by the first of its uses', async () => {
    const { clock, written, record } = recording()
    await record('one', 'A')
    await record('one', 'B')
    await record('other', 'A')
    clock.advance(59)
    await record('one', 'C')
    clock.advance(1)
    await record('one', 'D')
    deepEqual(written, ['one A 60', 'other A 60', 'one D 60'])
  })

  test('that cannot be written fails nothing, and is said in the log', async () => {
    const { lines, record } = recording(() => Promise.reject(new Error('the database is away')))
    await record('one', 'A')
    deepEqual(
      lines.map((line) => JSON.parse(line).msg),
      ['last use of a key not recorded'],
    )
  })
})
