import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import packageJson from '../../package.json' with { type: 'json' }
import { ignoreDriverErrors } from './driver-errors.ts'
import { secondsOfTree, startedPrograms } from './processor-time.ts'
import { atEndOfPart, isPart, note } from './run-notes.ts'

// A real Chromium with site isolation and all security features. The arguments of @sparticuz/chromium disable both for
// AWS Lambda, so only its executable is used.

export const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--site-per-process',
  '--disable-background-networking',
  '--disable-quic',
  '--disable-gpu',
  '--disable-component-update',
  '--no-first-run',
  '--font-render-hinting=none',
]

const NAME = 'chromium'
const CACHE = join(tmpdir(), `rialto-chromium-${packageJson.devDependencies['@sparticuz/chromium']}`)

// The package's own list of directories is for AWS Lambda.
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(CACHE, 'fonts')}</dir>
  <cachedir>${join(CACHE, 'fonts-cache')}</cachedir>
  <match target="pattern"><edit name="family" mode="append"><string>Open Sans</string></edit></match>
</fontconfig>
`

/** Starts a browser; the caller closes it. */
export async function launchBrowser(): Promise<Browser> {
  const { browser, seconds } = await start()
  const close = browser.close.bind(browser)
  // After it has closed, its processes have no parent to count their time.
  browser.close = (options) => {
    noteSeconds(seconds())
    return close(options)
  }
  return browser
}

interface Borrowed {
  browser: Browser
  giveBack(): Promise<void>
}

interface Started {
  browser: Browser
  /** Returns the processor seconds of its processes since its start. */
  seconds(): number
}

/** The browser of this test process, and its processor seconds that have been noted. */
let shared: Promise<Started & { noted: number }> | null = null

/**
 * Returns a browser for a test file, which closes its contexts when it gives the browser back. All files of a test
 * process have the same one, because a start takes as long as several tests.
 */
export async function borrowBrowser(): Promise<Borrowed> {
  if (!isPart) {
    const browser = await launchBrowser()
    return { browser, giveBack: () => browser.close() }
  }
  if ((await shared)?.browser.isConnected() === false) shared = null
  shared ??= startShared()
  const current = await shared
  return {
    browser: current.browser,
    async giveBack() {
      await Promise.all(current.browser.contexts().map((context) => context.close()))
      const seconds = current.seconds()
      noteSeconds(seconds - current.noted)
      current.noted = seconds
    },
  }
}

async function startShared(): Promise<Started & { noted: number }> {
  const started = await start()
  atEndOfPart(() => started.browser.close())
  return { ...started, noted: 0 }
}

async function start(): Promise<Started> {
  ignoreDriverErrors()
  const others = startedPrograms(NAME)
  const browser = await chromium.launch({ ...(await browserProgram()), args: BROWSER_ARGUMENTS })
  const own = startedPrograms(NAME).filter((pid) => !others.includes(pid))
  return { browser, seconds: () => own.reduce((sum, pid) => sum + secondsOfTree(pid), 0) }
}

const noteSeconds = (seconds: number) => note(`browser ${seconds.toFixed(1)}`)

/** Returns the program. The first call on a machine unpacks it, which takes about three seconds. */
export async function browserProgram(): Promise<{ executablePath: string; env: Record<string, string | undefined> }> {
  if (!existsSync(CACHE)) await unpack()
  return {
    executablePath: join(CACHE, NAME),
    // The package's own fonts, so that text looks the same on every machine.
    env: { ...process.env, FONTCONFIG_FILE: join(CACHE, 'fonts.conf') },
  }
}

/** Unpacks to a temporary path and renames it, because concurrent test files may all be the first. */
async function unpack(): Promise<void> {
  const draft = await mkdtemp(join(tmpdir(), 'rialto-chromium-draft-'))
  const script = "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath()"
  const env = { ...process.env, TMPDIR: draft }
  const cwd = import.meta.dirname
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd, env })
  await writeFile(join(draft, 'fonts.conf'), FONTS)
  await rename(draft, CACHE).catch(() => rm(draft, { recursive: true }))
}
