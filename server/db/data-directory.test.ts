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
/** Only root can change the owner of a file and run a process as another user. */
const isRoot = process.getuid?.() === 0

describe('The data directory', () => {
  const parent = mkdtempSync(join(tmpdir(), 'rialto-data-'))
  let number = 0
  let directory: string

  beforeEach(() => {
    chmodSync(parent, 0o755)
    directory = join(parent, `${++number}`)
  })
  after(() => rmSync(parent, { recursive: true }))

  const modeOf = (...path: string[]) => `0${(statSync(join(directory, ...path)).mode & 0o777).toString(8)}`

  test('a new directory is accessible only to its owner, whatever the umask', () => {
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

  test('an existing directory and its files lose the access of other users', () => {
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

  test('an open directory of another user is refused with instructions; a closed one is accepted', {
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
    match(refused.stderr, /is accessible to other users and belongs to another user.*chmod 700.*RIALTO_DATA_DIR/)
    chownSync(directory, NOBODY, NOBODY)
    equal(asNobody().status, 0)
    equal(modeOf(), '0700')
  })

  test('another user cannot hold the lock', { skip: !isRoot }, () => {
    prepareDataDirectory(directory)
    lockDataDirectory(directory).release()
    const read = () =>
      spawnSync('cat', [join(directory, 'rialto.lock')], { uid: NOBODY, gid: NOBODY, encoding: 'utf8' }).status
    equal(read(), 1)
    // This holds even if the user of PostgreSQL may traverse the directory.
    chmodSync(directory, 0o711)
    equal(read(), 1)
  })

  test('a cluster inside a directory of root stays reachable for its own user', {
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

  test('a path that is not a directory is refused', () => {
    writeFileSync(directory, '')
    throws(() => prepareDataDirectory(directory), /EEXIST/)
  })
})
