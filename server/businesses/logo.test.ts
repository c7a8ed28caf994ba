import { deepEqual, equal, ok, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { cpuMs } from '../../test/support/cpu-time.ts'
import { jpegHeaderOf, pngOf } from '../../test/support/images.ts'
import { ApiError } from '../lib/errors.ts'
import { logoFrom } from './logo.ts'

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>'
const CPU_MS_MAX = 50

describe('A logo (PAG-33)', () => {
  for (const [mediaType, bytes] of [
    ['image/png', pngOf({ width: 1_200, height: 1_200 })],
    ['image/jpeg', jpegHeaderOf({ width: 2_000, height: 750 })],
  ] as const)
    test(`is a file of ${mediaType}, as it is`, () => {
      const logo = logoFrom(bytes)
      deepEqual([logo.mediaType, logo.bytes], [mediaType, bytes])
    })

  for (const [what, bytes, why] of [
    ['an SVG', Buffer.from(SVG), /must be a PNG or JPEG image/],
    ['a GIF', Buffer.from('GIF89a'), /must be a PNG or JPEG image/],
    ['nothing', Buffer.alloc(0), /must be a PNG or JPEG image/],
    ['a PNG without its size', pngOf({ width: 9, height: 9 }).subarray(0, 20), /must be a PNG or JPEG image/],
    ['a JPEG without a frame', Buffer.from('ffd8ffd9', 'hex'), /must be a PNG or JPEG image/],
    ['a PNG without a pixel', pngOf({ width: 0, height: 9 }), /must show something/],
    [
      'a PNG that is too large when it is decoded',
      pngOf({ width: 4_000, height: 4_000, color: 0, depth: 1 }),
      /it is 4000 × 4000/,
    ],
    ['a long PNG', pngOf({ width: 2_001, height: 1 }), /at most 2,000 pixels wide and high/],
    ['a JPEG that is too large when it is decoded', jpegHeaderOf({ width: 65_500, height: 65_500 }), /65500 × 65500/],
    ['a large file', Buffer.concat([pngOf({ width: 9, height: 9 }), Buffer.alloc(65_536)]), /must be 64 KiB at most/],
  ] as const)
    test(`is not ${what}`, () => void throws(() => logoFrom(bytes), why))

  test('costs little to read, whatever the file is, and is read or refused', () => {
    const starts = fc.constantFrom(
      pngOf({ width: 9, height: 9 }),
      jpegHeaderOf({ width: 9, height: 9 }),
      Buffer.from(SVG),
    )
    // Each file repeats a piece, so that some have as many segments as fit into a file.
    const file = fc
      .tuple(starts, fc.nat(40), fc.uint8Array({ minLength: 1, maxLength: 8 }), fc.nat(65_535))
      .map(([start, kept, piece, size]) => Buffer.concat([start.subarray(0, kept), Buffer.alloc(size, piece)]))
    fc.assert(
      fc.property(file, (bytes) => {
        const before = cpuMs()
        try {
          ok(logoFrom(bytes).bytes === bytes)
        } catch (error) {
          ok(error instanceof ApiError, String(error))
        }
        ok(cpuMs() - before < CPU_MS_MAX)
      }),
      { numRuns: 2_000 },
    )
    const segments = Buffer.concat([Buffer.from('ffd8', 'hex'), Buffer.alloc(65_000, Buffer.from('ffe00002', 'hex'))])
    equal(segments.length, 65_002)
    throws(() => logoFrom(segments), /must be a PNG or JPEG image/)
  })
})
