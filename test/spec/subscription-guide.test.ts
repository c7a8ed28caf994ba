import { deepEqual, equal, match } from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { openService, type TestService } from '../support/service.ts'
import { assertSoundBooks } from '../support/sound-books.ts'

const GUIDE = new URL('../../docs/guides/subscriptions.md', import.meta.url)

describe('docs/guides/subscriptions.md', () => {
  let service: TestService
  before(async () => {
    service = await openService()
    await service.app.startWorker()
  })
  after(() => service.close())

  test('every command runs as it is printed, one after the other', async () => {
    const commands = [...(await readFile(GUIDE, 'utf8')).matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text]) => text)
    equal(commands.length >= 8, true)
    const folder = await mkdtemp(join(tmpdir(), 'rialto-guide-'))
    try {
      await mkdir(join(folder, 'data'))
      const demo = { ...service.demo, base_url: service.url, dashboard_url: service.formUrl }
      await writeFile(join(folder, 'data', 'demo.json'), JSON.stringify(demo, null, 2))
      const script = ['set -eu', ...commands.map((text) => `${text}\necho`)].join('\n')
      const { stdout } = await promisify(execFile)('sh', ['-c', script], { cwd: folder })
      equal(/"error"|"ok":false/.test(stdout), false, stdout)
      const last = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
      const [canceled] = last.data
      deepEqual(
        [canceled.status, canceled.installments_billed, canceled.cancellation_details.reason],
        ['canceled', 2, 'moved away'],
      )
      match(stdout, /"charge_due_today":0/)
      match(stdout, /"refunded_amount":500/)
      match(stdout, /"trigger":"scheduled"/)
    } finally {
      await rm(folder, { recursive: true })
    }
    await assertSoundBooks(service)
  })
})
