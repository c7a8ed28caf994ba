import { equal, ok } from 'node:assert/strict'
import { describe, test } from 'node:test'
import { format, inspect } from 'node:util'
import { pino } from 'pino'
import { parseBinTable } from './bin-table.ts'
import { readCard } from './card.ts'
import { Secret } from './secret.ts'

const NUMBER = '4242424242424242'
const secret = new Secret(NUMBER)
const card = readCard(
  { cardNumber: NUMBER, month: '12', year: 2031, nameOnCard: 'Ana Roy', cvv: '987' },
  { now: new Date('2026-11-21T12:00:00Z'), nameRequired: true, bins: parseBinTable('bin_from,bin_to,funding,country') },
)

function logged(value: unknown): string {
  const lines: string[] = []
  // The log omits time and process id, because their digits may contain the code.
  const log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) })
  log.error({ err: new Error('failed', { cause: value }), value }, 'failed')
  return lines.join('')
}

describe('A secret is not printed', () => {
  test('reveal', () => equal(secret.reveal(), NUMBER))

  const ways: Record<string, (value: unknown) => string> = {
    'a template': (value) => `${value}`,
    'joined text': (value) => `a ${value} b`.concat(String(value)),
    JSON: (value) => JSON.stringify({ value, list: [value] }),
    inspect: (value) => inspect({ value }, { depth: 9, showHidden: true, getters: true }),
    'util.format': (value) => format('%s %o %O %j', value, value, value, value),
    'an error': (value) => inspect(new Error(`failed with ${value}`, { cause: value })),
    'an assertion': (value) => inspect(new TypeError(String(value), { cause: { value } })),
    'the log': logged,
    'its own keys': (value) =>
      JSON.stringify([Object.keys(value as object), Object.entries(value as object), { ...(value as object) }]),
    'a structured clone': (value) => inspect(structuredClone({ ...(value as object) })),
  }
  for (const [name, print] of Object.entries(ways)) {
    test(`by ${name}`, () => ok(!print(secret).includes(NUMBER)))
  }

  for (const [name, print] of Object.entries(ways).filter(([name]) => !name.includes('clone'))) {
    test(`by ${name} of the card that has it`, () => {
      const text = print(card)
      ok(!text.includes(NUMBER) && !text.includes('987'))
    })
  }
})
