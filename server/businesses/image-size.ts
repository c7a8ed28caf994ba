export interface ImageSize {
  width: number
  height: number
}

const PNG_HEADER = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const PNG_SIZE_AT = 16

const JPEG_START = 0xffd8
/** Markers of segments without a length: padding, restart markers, the start of an image. */
const BARE_MARKERS: ReadonlySet<number> = new Set([0x01, 0xd0, 0xd1, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8])
/** Frames of baseline and progressive images with Huffman codes, which browsers and PDF readers show. */
const FRAME_MARKERS: ReadonlySet<number> = new Set([0xc0, 0xc1, 0xc2])
/** Markers where the picture's data begin or end; no frame follows them. */
const DATA_MARKERS: ReadonlySet<number> = new Set([0xd9, 0xda])

/** Reads the size of a PNG from its header, without decoding it; `null` if it is not a PNG. */
export function pngSize(bytes: Buffer): ImageSize | null {
  if (!bytes.subarray(0, PNG_SIZE_AT).equals(PNG_HEADER) || bytes.length < PNG_SIZE_AT + 8) return null
  return { width: bytes.readUInt32BE(PNG_SIZE_AT), height: bytes.readUInt32BE(PNG_SIZE_AT + 4) }
}

/** Reads the size of a JPEG from its frame header, without decoding it; `null` if it is not a JPEG or has no frame. */
export function jpegSize(bytes: Buffer): ImageSize | null {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== JPEG_START) return null
  for (let at = 2; at + 9 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1] ?? 0
    // Any number of fill bytes may precede a marker.
    if (marker === 0xff) at += 1
    else if (BARE_MARKERS.has(marker)) at += 2
    else if (FRAME_MARKERS.has(marker)) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    else if (DATA_MARKERS.has(marker)) return null
    else at += 2 + Math.max(bytes.readUInt16BE(at + 2), 2)
  }
  return null
}
