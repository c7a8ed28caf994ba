import { deepEqual, equal, rejects } from 'node:assert/strict'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openLedgerFile } from './ledger-file.ts'

describe('Ledger file', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rialto-ledger-'))
  })
  after(() => rm(folder, { recursive: true }))

  async function linesOf(path: string): Promise<unknown[]> {
    const lines: unknown[] = []
    const file = await openLedgerFile(path, (line) => lines.push(line))
    await file.close()
    return lines
  }

  test('appended lines are read back in order', async () => {
    const path = join(folder, 'deeper', 'order.jsonl')
    const file = await openLedgerFile(path, () => {})
    for (let n = 1; n <= 3; n++) file.append({ n })
    await file.durable()
    file.appendLazily({ n: 4 })
    await file.close()
    deepEqual(await linesOf(path), [{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])
  })

  test('after durable() every appended line can be read from the file', async () => {
    const path = join(folder, 'durable.jsonl')
    const file = await openLedgerFile(path, () => {})
    for (let round = 0; round < 50; round++) {
      const many = Array.from({ length: 5 }, async (_, n) => {
        file.append({ round, n })
        await file.durable()
        equal((await readFile(path, 'utf8')).includes(JSON.stringify({ round, n })), true)
      })
      await Promise.all(many)
    }
    await file.close()
  })

  for (const torn of ['{"n":2', '{"n":2}', '\u0000\u0000\n']) {
    test(`a torn last line is truncated: ${JSON.stringify(torn)}`, async () => {
      const path = join(folder, `torn-${torn.length}.jsonl`)
      await writeFile(path, `{"n":1}\n${torn}`)
      deepEqual(await linesOf(path), [{ n: 1 }])
      await appendFile(path, '{"n":3}\n')
      deepEqual(await linesOf(path), [{ n: 1 }, { n: 3 }])
    })
  }

  test('a damaged line before the last is an error', async () => {
    const path = join(folder, 'damaged.jsonl')
    await writeFile(path, '{"n":1}\n{"n":\n{"n":3}\n')
    await rejects(linesOf(path), /line 2 is damaged/)
  })

  test('durable() rejects after a failed write', async () => {
    const file = await openLedgerFile(join(folder, 'closed.jsonl'), () => {})
    await file.close()
    file.append({ n: 1 })
    await rejects(file.durable())
    file.append({ n: 2 })
    await rejects(file.durable())
    await rejects(file.durable())
  })
})
