import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import type { Font, Path } from 'fontkit'

const decompress = promisify(brotliDecompress)

/** Weight of printed text, between Thin (100) and Black (900). */
const WEIGHT = 400

interface Point {
  x: number
  y: number
  copy(): Point
}

interface RawGlyph {
  points?: Point[]
  components?: { dx: number; dy: number }[]
}

/** Members of fontkit 2.0.4 that its types lack. Tests of the drawn text fail if another version no longer has them. */
interface Woff2Font extends Font {
  stream: { pos: number; readBuffer(length: number): Uint8Array; constructor: new (bytes: Uint8Array) => object }
  directory: {
    totalCompressedSize: number
    tables: Record<string, { offset: number; length: number; transformLength?: number }>
  }
  fvar?: { axis: { axisTag: string; defaultValue: number }[] }
  variationCoords: number[] | null
  _dataPos: number
  _decompressed: boolean
  _transformedGlyphs: RawGlyph[]
  _variationProcessor: { transformPoints(glyph: number, points: Point[]): void } | null
  _transformGlyfTable(): void
}

/**
 * Reads a variable font at the weight of printed text. fontkit reads the format, but decompresses it in JavaScript,
 * which blocks the event loop for up to a hundred milliseconds.
 */
export async function readWoff2(bytes: Buffer): Promise<Font> {
  const { create } = await import('fontkit')
  const font = create(bytes) as unknown as Woff2Font
  const { stream, directory } = font
  stream.pos = font._dataPos
  const decompressed = await decompress(stream.readBuffer(directory.totalCompressedSize))
  let offset = 0
  for (const table of Object.values(directory.tables)) {
    table.offset = offset
    offset += table.transformLength ?? table.length
  }
  font.stream = new stream.constructor(decompressed) as Woff2Font['stream']
  font._decompressed = true
  // Outlines are read as stored in the file: fontkit fails to read them at another weight.
  const unvaried = Object.create(font, { _variationProcessor: { value: null } }) as Woff2Font
  unvaried._transformGlyfTable()
  font._transformedGlyphs = unvaried._transformedGlyphs
  const axes = font.fvar?.axis ?? []
  const at = axes.map(({ axisTag, defaultValue }) => (axisTag === 'wght' ? WEIGHT : defaultValue))
  if (axes.some(({ defaultValue }, index) => defaultValue !== at[index])) {
    font.variationCoords = at
    varyGlyphs(font)
  }
  return font
}

/** Moves the points of glyphs to another weight, which fontkit does only for other formats. */
function varyGlyphs(font: Woff2Font): void {
  const varied = new Set<number>()
  const { getGlyph } = font
  font.getGlyph = (id, codePoints) => {
    const glyph = font._transformedGlyphs[id]
    if (glyph && !varied.has(id)) {
      varied.add(id)
      varyGlyph(font, id, glyph)
    }
    return getGlyph.call(font, id, codePoints)
  }
}

function varyGlyph(font: Woff2Font, id: number, { points = [], components = [] }: RawGlyph): void {
  const moved = points.length > 0 ? points : components.map(({ dx, dy }) => pointAt(dx, dy))
  // The last four points belong to the box, whose width is in another table.
  font._variationProcessor?.transformPoints(id, [...moved, ...Array.from({ length: 4 }, () => pointAt(0, 0))])
  for (const [index, component] of components.entries())
    Object.assign(component, { dx: moved[index]?.x, dy: moved[index]?.y })
}

const pointAt = (x: number, y: number): Point => ({
  ...{ x, y, onCurve: true, endContour: true },
  copy() {
    return pointAt(this.x, this.y)
  },
})

interface Subset {
  glyf: Buffer[]
  loca: { offsets: number[] }
  hmtx: { metrics: { advance: number; bearing: number }[] }
  offset: number
  _addGlyph(id: string | number): number
}

/** Part of a glyph, with its offset from the glyph's origin. */
export interface Part {
  path: Path
  dx: number
  dy: number
}

export interface Outline {
  parts: Part[]
  advanceWidth: number
}

/**
 * Returns the subset of a font that a document embeds. fontkit copies glyphs from the table of the file, which is
 * packed in this format, so they are drawn again.
 *
 * @param outlineOf returns the outline for the name under which a glyph was included
 */
export function subsetOf(font: Font, outlineOf: (id: string | number) => Outline): object {
  // The file has no table of locations; version 1 means long ones.
  const base = Object.create(font, { loca: { value: { version: 1 } } }) as { createSubset(): Subset }
  const subset = base.createSubset()
  subset._addGlyph = (id) => {
    const { parts, advanceWidth } = outlineOf(id)
    const { bytes, left } = encodeOutline(parts)
    subset.glyf.push(bytes)
    subset.loca.offsets.push(subset.offset)
    subset.hmtx.metrics.push({ advance: Math.round(advanceWidth), bearing: left })
    subset.offset += bytes.length
    return subset.glyf.length - 1
  }
  return subset
}

const ON_CURVE = 1
const HEAD_BYTES = 10

/** Encodes outlines as the table `glyf` of a TrueType font, which fontkit 2.0.4 fails to write. */
function encodeOutline(parts: readonly Part[]): { bytes: Buffer; left: number } {
  const points: { x: number; y: number; flag: number }[] = []
  const ends: number[] = []
  for (const { path, dx, dy } of parts)
    for (const { command, args } of path.commands) {
      for (let at = 0; at < args.length; at += 2) {
        const isControl = command === 'quadraticCurveTo' && at === 0
        const [x, y] = [Math.round((args[at] ?? 0) + dx), Math.round((args[at + 1] ?? 0) + dy)]
        points.push({ x, y, flag: isControl ? 0 : ON_CURVE })
      }
      if (command === 'closePath') ends.push(points.length - 1)
    }
  if (points.length === 0) return { bytes: Buffer.alloc(0), left: 0 }
  const length = HEAD_BYTES + ends.length * 2 + 2 + points.length * 5
  const bytes = Buffer.alloc(length + ((4 - (length % 4)) % 4))
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
  const left = Math.min(...xs)
  let offset = 0
  for (const value of [ends.length, left, Math.min(...ys), Math.max(...xs), Math.max(...ys)])
    offset = bytes.writeInt16BE(value, offset)
  for (const end of ends) offset = bytes.writeUInt16BE(end, offset)
  // There are no instructions.
  offset = bytes.writeUInt16BE(0, offset)
  for (const { flag } of points) offset = bytes.writeUInt8(flag, offset)
  for (const places of [xs, ys])
    places.forEach((place, index) => {
      offset = bytes.writeInt16BE(place - (places[index - 1] ?? 0), offset)
    })
  return { bytes, left }
}
