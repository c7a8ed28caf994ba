import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createBoundedMap } from '../lib/bounded-map.ts'
import { invalidField } from '../lib/errors.ts'

// An SVG can hold scripts, refer to other places and cost any amount of time and memory. Browsers never get one: it is
// drawn once, as a PNG.

const PROGRAM = fileURLToPath(new URL('./svg-logo-program.ts', import.meta.url))

const SVG = /<(?:\w+:)?svg[\s>]/i
/** Without fonts a text would be missing in silence. */
const TEXT = /<(?:\w+:)?text[\s>]/i

/** A drawing that costs more is none of a logo. It takes a quarter of a second where nothing else runs. */
const LIMITS = { seconds: 20, memoryMegabytes: 128 }
const WASM_PAGES_PER_MEGABYTE = 16
const HEAP_MEGABYTES_MAX = 64

const drawn = createBoundedMap<Buffer>(20)
let last: Promise<unknown> = Promise.resolve()

export const isSvg = (bytes: Buffer): boolean => SVG.test(bytes.subarray(0, 4_096).toString('latin1'))

/**
 * Draws an SVG as a PNG: one at a time, in a process of its own with limits of time and memory. The same file again
 * costs nothing.
 *
 * @param bytesMax of the PNG
 * @throws ApiError `validation_failed`: has text, refers to other files, shows nothing, cannot be drawn or costs too
 *   much
 * @see PAG-33
 */
export async function pngFromSvg(svg: Buffer, bytesMax: number, limits = LIMITS): Promise<Buffer> {
  if (TEXT.test(svg.toString('utf8'))) throw invalidField('logo', 'must have no text: convert it to outlines')
  const key = createHash('sha256').update(svg).digest('hex')
  const known = drawn.get(key)
  if (known) return known
  const next = last.then(() => draw(svg, bytesMax, limits))
  last = next.catch(() => {})
  const png = await next
  drawn.set(key, png)
  return png
}

async function draw(svg: Buffer, bytesMax: number, { seconds, memoryMegabytes }: typeof LIMITS): Promise<Buffer> {
  const pages = memoryMegabytes * WASM_PAGES_PER_MEGABYTE
  const memory = [`--wasm-max-mem-pages=${pages}`, `--max-old-space-size=${HEAP_MEGABYTES_MAX}`]
  const child = spawn(process.execPath, [...memory, PROGRAM, String(bytesMax)], { stdio: 'pipe', ...ENVIRONMENT })
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1_000)
  const [png, errors] = [collect(child.stdout, bytesMax + 1), collect(child.stderr, 1_000)]
  // It may have ended before it has read everything.
  child.stdin.on('error', () => {})
  child.stdin.end(svg)
  const [code] = await once(child, 'close').finally(() => clearTimeout(timer))
  if (code === 0) return png()
  throw invalidField(
    'logo',
    REASONS[errors().toString()] ?? 'must be a simpler SVG file, or PNG: this one cannot be drawn',
  )
}

/** It needs none, and on Windows nothing runs without one. */
const ENVIRONMENT = process.platform === 'win32' ? {} : { env: {} }

/** By the word of the program. What the library says is not shown. */
const REASONS: Record<string, string> = {
  references: 'must not refer to other files',
  empty: 'must show something',
  large: 'must be a simpler SVG file: as PNG it has more than 64 KiB',
}

function collect(stream: NodeJS.ReadableStream, bytesMax: number): () => Buffer {
  const parts: Buffer[] = []
  let size = 0
  stream.on('data', (part: Buffer) => {
    size += part.length
    if (size <= bytesMax) parts.push(part)
  })
  return () => Buffer.concat(parts)
}
