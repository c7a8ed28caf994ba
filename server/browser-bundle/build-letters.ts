import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { replaceFile } from './replace-file.ts'

// Compiles the layout of the letters from MJML to HTML, and the HTML to a Handlebars function. MJML takes half a second
// and 100 MB, so a build is reused while the hash of its sources is the same.

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCE = 'server/emails/templates/letter.mjml'
const SOURCES = [SOURCE, 'server/browser-bundle/build-letters.ts', 'package.json']
const FOLDER = join(ROOT, 'build', 'letters')
const HASH_LENGTH = 16

/** Builds the layout if its sources have changed. */
export async function buildLetterTemplate(): Promise<void> {
  const builtFrom = await hashSources()
  const manifest = join(FOLDER, 'manifest.json')
  const found = await readFile(manifest, 'utf8').catch(() => '{}')
  if (JSON.parse(found).builtFrom === builtFrom) return
  const code = `export default ${await compile(await readFile(join(ROOT, SOURCE), 'utf8'))}\n`
  const file = `letter.${createHash('sha256').update(code).digest('hex').slice(0, HASH_LENGTH)}.mjs`
  await mkdir(FOLDER, { recursive: true })
  await replaceFile(join(FOLDER, file), code)
  await replaceFile(manifest, `${JSON.stringify({ file, builtFrom }, null, 2)}\n`)
}

async function hashSources(): Promise<string> {
  const hash = createHash('sha256')
  for (const file of SOURCES) hash.update(`${file}\0`).update(await readFile(join(ROOT, file)))
  return hash.digest('hex')
}

/** MJML's complaint about a colour that is inserted later. */
const IS_PLACE = /has invalid value: \{\{[\w.]+\}\} for type Color/

async function compile(mjml: string): Promise<string> {
  const { default: mjml2html } = await import('mjml')
  const { default: handlebars } = await import('handlebars')
  const { html, errors } = await mjml2html(mjml, { validationLevel: 'soft', keepComments: false, fonts: {} })
  const faults = errors.map(({ formattedMessage }) => formattedMessage).filter((fault) => !IS_PLACE.test(fault))
  if (faults.length > 0) throw new Error(`${SOURCE}: ${faults.join('; ')}`)
  const code = handlebars.precompile(withoutIndentation(html), { strict: true, knownHelpersOnly: true })
  return String(code)
}

/** Removes indentation, a quarter of the bytes. Line ends stay, because lines of a letter must not become long. */
const withoutIndentation = (html: string) => html.replace(/\s*\n\s*/g, '\n').trim()
