import { equal, match, throws } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import { prepareDataDirectory } from './data-directory.ts'
import { lockDataDirectory } from './data-directory-lock.ts'

const MODULE = new URL('./data-directory.ts', import.meta.url).href
const NOBODY = 65_534
/** Root alone can give files away and act as somebody else. */
const isRoot = process.getuid?.() === 0

describe('the data directory', () => {
  const parent = mkdtempSync(join(tmpdir(), 'rialto-data-'))
  let number = 0
  let directory: string

  beforeEach(() => {
    chmodSync(parent, 0o755)
    directory = join(parent, `${++number}`)
  })
  after(() => rmSync(parent, { recursive: true }))

  const modeOf = (...path: string[]) => `0${(statSync(join(directory, ...path)).mode & 0o777).toString(8)}`

  test('a new one is for its owner alone, whatever the umask is', () => {
    const umask = process.umask(0)
    try {
      prepareDataDirectory(join(directory, 'deep'))
      lockDataDirectory(join(directory, 'deep')).release()
    } finally {
      process.umask(umask)
    }
    equal(modeOf('deep'), '0700')
    equal(modeOf('deep', 'rialto.lock'), '0600')
    equal(modeOf('deep', 'rialto.pid'), '0600')
  })

  test('one that others may enter is closed, with what lies in it', () => {
    mkdirSync(directory)
    chmodSync(directory, 0o777)
    for (const name of ['rialto.lock', 'demo.json', 'simulator.jsonl']) {
      writeFileSync(join(directory, name), '')
      chmodSync(join(directory, name), 0o666)
    }
    writeFileSync(join(directory, 'read-only'), '', { mode: 0o400 })
    prepareDataDirectory(directory)
    equal(modeOf(), '0700')
    for (const name of ['rialto.lock', 'demo.json', 'simulator.jsonl']) equal(modeOf(name), '0600', name)
    equal(modeOf('read-only'), '0400')
  })

  test('one of another user that is open is refused with what to do, one that is closed is not', {
    skip: !isRoot,
  }, () => {
    mkdirSync(directory)
    chmodSync(directory, 0o777)
    const asNobody = () => {
      const code = `
        process.setgid(${NOBODY}); process.setuid(${NOBODY})
        prepareDataDirectory(process.argv[1])`
      const program = `import { prepareDataDirectory } from ${JSON.stringify(MODULE)};${code}`
      const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program, directory], {
        encoding: 'utf8',
      })
      return { status, stderr }
    }
    const refused = asNobody()
    equal(refused.status, 1)
    match(refused.stderr, /is open to other users and belongs to another one.*chmod 700.*RIALTO_DATA_DIR/)
    chownSync(directory, NOBODY, NOBODY)
    equal(asNobody().status, 0)
    equal(modeOf(), '0700')
  })

  test('another user cannot hold the lock against a start', { skip: !isRoot }, () => {
    prepareDataDirectory(directory)
    lockDataDirectory(directory).release()
    const read = () =>
      spawnSync('cat', [join(directory, 'rialto.lock')], { uid: NOBODY, gid: NOBODY, encoding: 'utf8' }).status
    equal(read(), 1)
    // Nor where the user of PostgreSQL has to pass.
    chmodSync(directory, 0o711)
    equal(read(), 1)
  })

  test('a cluster that an earlier version put into root’s directory can still be reached by its user', {
    skip: !isRoot,
  }, () => {
    mkdirSync(join(directory, 'postgres'), { recursive: true })
    chownSync(join(directory, 'postgres'), NOBODY, NOBODY)
    chmodSync(directory, 0o755)
    prepareDataDirectory(directory)
    equal(modeOf(), '0711')
    const enter = spawnSync('ls', [join(directory, 'postgres')], { uid: NOBODY, gid: NOBODY })
    equal(enter.status, 0)
  })

  test('what is not a directory is said so', () => {
    writeFileSync(directory, '')
    throws(() => prepareDataDirectory(directory), /EEXIST/)
  })
})
