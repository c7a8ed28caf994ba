// Runs before npm start, npm test and other scripts: installs the packages of package-lock.json if they are missing.
// JavaScript, not TypeScript, because it may run on the machine's own, older Node.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const modules = join(root, 'node_modules')
const stampFile = join(modules, '.rialto-installed')
const lockFile = join(root, 'build', 'install.lock')
const NODE_MAJOR = 24
/** Secret variables of server/config.ts. */
const SECRETS = [
  'DATABASE_URL',
  'RIALTO_MASTER_KEY',
  'SIMULATOR_SECRET',
  'THREE_DS_SERVER_KEY',
  'SMTP_URL',
  'RIALTO_SECRET_KEY',
]
const LOCK_POLL_MS = 200
const LOCK_STALE_MS = 10 * 60_000

if (!isStamped()) lockAnd(installUnlessDone)
checkNode()

function isStamped() {
  return existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp()
}

/** Returns a value that changes whenever the packages must be installed again. */
function stamp() {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  return `${process.platform} ${process.arch} ${lock}\n`
}

function installUnlessDone() {
  if (isStamped()) return
  if (!isInstalled()) install()
  writeFileSync(stampFile, stamp())
}

/** Whether npm's record of installed packages, for example by `npm install`, contains all packages for this machine. */
function isInstalled() {
  const recordFile = join(modules, '.package-lock.json')
  if (!existsSync(recordFile)) return false
  const record = JSON.parse(readFileSync(recordFile, 'utf8')).packages
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true
    const isHere = record[path]?.version === entry.version && record[path]?.integrity === entry.integrity
    return isHere || (record[path] === undefined && entry.optional && !isForMachine(entry))
  })
}

/**
 * Whether a package is for this machine: npm omits optional packages for another system or C library, and packages that
 * only those need.
 */
function isForMachine({ os, cpu, libc }) {
  const fits = (list, value) => list === undefined || [list].flat().includes(value)
  return (os ?? cpu) !== undefined && fits(os, process.platform) && fits(cpu, process.arch) && fits(libc, libcHere())
}

function libcHere() {
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
}

function install() {
  console.log('Installing the packages of package-lock.json …')
  // Before version 11, npm runs the install scripts of packages; we need none of them.
  const options = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--engine-strict=false',
    '--no-audit',
    '--no-fund',
  ]
  // An old Node is not an error here, because the packages include a newer one.
  const { status, error } = runNpm([...options, '--loglevel=error', '--progress=false'])
  if (status === 0) return
  fail(`npm ci failed${error ? ` (${error.message})` : ''}. See the error above, correct its cause and try again.`)
}

function runNpm(args) {
  const { npm_execpath: npm, npm_node_execpath: node } = process.env
  const env = { ...process.env }
  // Packages may run scripts during the installation.
  for (const name of SECRETS) delete env[name]
  const options = { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] }
  if (npm) return spawnSync(node ?? process.execPath, [npm, ...args], options)
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
}

/** Runs the work under a lock: of two concurrent starts, the second waits for the first to install. */
function lockAnd(work) {
  mkdirSync(dirname(lockFile), { recursive: true })
  const mine = `${lockFile}.${process.pid}`
  writeFileSync(mine, String(process.pid))
  try {
    while (!tryLink(mine)) waitOrBreak()
    process.once('exit', () => rmSync(lockFile, { force: true }))
    work()
  } finally {
    rmSync(mine, { force: true })
  }
}

/** Creates the lock as a hard link, which appears atomically, with its content. */
function tryLink(mine) {
  try {
    linkSync(mine, lockFile)
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function waitOrBreak() {
  try {
    const age = Date.now() - statSync(lockFile).mtimeMs
    if (age > LOCK_STALE_MS || !isAlive(Number(readFileSync(lockFile, 'utf8'))))
      return rmSync(lockFile, { force: true })
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOCK_POLL_MS)
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function checkNode() {
  const brought = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
  if (existsSync(brought) || Number(process.versions.node.split('.')[0]) >= NODE_MAJOR) return
  fail(
    `Rialto needs Node ${NODE_MAJOR} or newer. It brings one for Linux (x64, arm64), macOS (arm64) and Windows (x64), ` +
      `but not for ${process.platform} ${process.arch}, and this machine's is ${process.version}. ` +
      'Install Node from https://nodejs.org, then try again.',
  )
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
