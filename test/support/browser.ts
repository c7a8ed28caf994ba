import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from 'playwright-core'
import packageJson from '../../package.json' with { type: 'json' }

// A real Chromium, with site isolation and all its security on. The arguments that @sparticuz/chromium offers switch
// both off for its life in a Lambda, so only its executable is used.

const ARGUMENTS = [
  '--no-sandbox',
  '--site-per-process',
  '--disable-background-networking',
  '--disable-quic',
  '--disable-gpu',
  '--disable-component-update',
  '--no-first-run',
  '--font-render-hinting=none',
]

const CACHE = join(tmpdir(), `rialto-chromium-${packageJson.devDependencies['@sparticuz/chromium']}`)

// The package's own list of folders is made for a Lambda.
const FONTS = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(CACHE, 'fonts')}</dir>
  <cachedir>${join(CACHE, 'fonts-cache')}</cachedir>
  <match target="pattern"><edit name="family" mode="append"><string>Open Sans</string></edit></match>
</fontconfig>
`

/** Starts a browser; the caller closes it. The first start on a machine unpacks it once, in about three seconds. */
export async function launchBrowser(): Promise<Browser> {
  if (!existsSync(CACHE)) await unpack()
  return chromium.launch({
    executablePath: join(CACHE, 'chromium'),
    args: ARGUMENTS,
    // Its own fonts, so that text is seen on a bare machine too, and looks the same on every one.
    env: { ...process.env, FONTCONFIG_FILE: join(CACHE, 'fonts.conf') },
  })
}

/** Unpacks beside the cache and renames, since test files that run at the same time may all be the first. */
async function unpack(): Promise<void> {
  const draft = await mkdtemp(join(tmpdir(), 'rialto-chromium-draft-'))
  const script = "const { default: chromium } = await import('@sparticuz/chromium'); await chromium.executablePath()"
  const env = { ...process.env, TMPDIR: draft }
  const cwd = import.meta.dirname
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd, env })
  await writeFile(join(draft, 'fonts.conf'), FONTS)
  await rename(draft, CACHE).catch(() => rm(draft, { recursive: true }))
}
