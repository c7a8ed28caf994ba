import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'

// Draws an SVG from its standard input as a PNG on its standard output, in a process of its own (svg-logo.ts). The
// library is WebAssembly: it can reach no file, no network and no font. A word on standard error says what is wrong.

/** The page shows logos 40 pixels high; screens have up to four dots for each. */
const HEIGHTS = [160, 120, 80, 40]
const WIDTH_MAX = 800

async function main(): Promise<void> {
  const parts: Buffer[] = []
  for await (const part of process.stdin) parts.push(part as Buffer)
  await initWasm(readFileSync(fileURLToPath(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))))
  const png = draw(Buffer.concat(parts).toString('utf8'), Number(process.argv[2]))
  if (!process.stdout.write(png)) await once(process.stdout, 'drain')
}

/** The largest that fits into so many bytes. */
function draw(svg: string, bytesMax: number): Uint8Array {
  const { width, height } = read(svg)
  for (const wanted of HEIGHTS) {
    const scale = Math.min(wanted / height, WIDTH_MAX / width)
    const image = read(svg, scale).render()
    if (image.pixels.every((value: number) => value === 0)) return refuse('empty')
    const png = image.asPng()
    if (png.length <= bytesMax) return png
  }
  return refuse('large')
}

function read(svg: string, scale = 1): InstanceType<typeof Resvg> {
  const drawing = new Resvg(svg, { fitTo: { mode: 'zoom', value: scale }, font: { loadSystemFonts: false } })
  if (drawing.imagesToResolve().length > 0) refuse('references')
  return drawing
}

function refuse(why: string): never {
  throw new Error(why)
}

main().catch((error: unknown) => {
  process.stderr.write(String(error instanceof Error ? error.message : error))
  process.exitCode = 1
})
