import { crc32, deflateSync } from 'node:zlib'

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

interface PngShape {
  width: number
  height: number
  /** Colour type of PNG: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB with alpha. */
  color?: 0 | 2 | 3 | 4 | 6
  depth?: 1 | 2 | 4 | 8 | 16
}

/** Returns a valid PNG, half transparent if possible. A plain picture of any size takes a few kilobytes. */
export function pngOf({ width, height, color = 6, depth = 8 }: PngShape): Buffer {
  const rowBytes = 1 + Math.ceil((width * (CHANNELS[color] ?? 1) * depth) / 8)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, color], 8)
  const palette = [chunk('PLTE', Buffer.alloc(768)), chunk('tRNS', Buffer.alloc(256, 128))]
  const pixels = chunk('IDAT', deflateSync(Buffer.alloc(rowBytes * height)))
  return Buffer.concat([
    PNG_SIGNATURE,
    chunk('IHDR', header),
    ...(color === 3 ? palette : []),
    pixels,
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns the headers of a JPEG from a camera, with another segment before the frame. It does not have a picture. */
export function jpegHeaderOf({ width, height }: Pick<PngShape, 'width' | 'height'>): Buffer {
  const frame = Buffer.from('ffc20011080000000003012200021101031101', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from('ffd8ffe000044a46ffff', 'hex').subarray(0, 8), frame, Buffer.from('ffd9', 'hex')])
}

function chunk(type: string, data: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([length, content, sum])
}
