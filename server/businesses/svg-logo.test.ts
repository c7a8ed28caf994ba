import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { pngFromSvg } from './svg-logo.ts'

const PNG_MAX = 65_536
const svg = (inside: string, more = 'viewBox="0 0 100 40"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${more}>${inside}</svg>`,
  )
const BOX = '<rect width="100" height="40" fill="#008000"/>'

const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]
/** Chunks of a PNG by their type. */
function chunksOf(png: Buffer): { type: string; data: Buffer }[] {
  const chunks = []
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at)
    chunks.push({ type: png.toString('latin1', at + 4, at + 8), data: png.subarray(at + 8, at + 8 + length) })
    at += length + 12
  }
  return chunks
}

describe('An SVG logo (PAG-33)', () => {
  for (const [what, viewBox, size] of [
    ['four times as high as it is shown', 'viewBox="0 0 100 40"', [400, 160]],
    ['at most 800 pixels wide', 'viewBox="0 0 1000 40"', [800, 32]],
    ['by its own size, without a view box', 'width="200" height="200"', [160, 160]],
  ] as const) {
    test(`becomes a PNG, ${what}`, async () => {
      const png = await pngFromSvg(svg('<rect width="100%" height="100%" fill="#008000"/>', viewBox), PNG_MAX)
      equal(png.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n')
      deepEqual(sizeOf(png), size)
    })
  }

  test('shows what it drew, and nothing else of the file is in it', async () => {
    const png = await pngFromSvg(svg(`<metadata>secret-note</metadata>${BOX}`), PNG_MAX)
    const chunks = chunksOf(png)
    deepEqual([...new Set(chunks.map(({ type }) => type))], ['IHDR', 'IDAT', 'IEND'])
    const data = chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data)
    const pixels = inflateSync(Buffer.concat(data))
    equal(pixels.includes(Buffer.from([0, 128, 0, 255])) || pixels.includes(Buffer.from([0, 128, 0])), true)
    equal(png.includes('secret-note'), false)
  })

  test('is smaller when it would have too many bytes, and refused when it still has', async () => {
    const noise = svg(
      '<filter id="n"><feTurbulence baseFrequency="0.9"/></filter><rect width="100" height="40" filter="url(#n)"/>',
    )
    const large = await pngFromSvg(noise, 400_000)
    const small = await pngFromSvg(Buffer.concat([noise, Buffer.from('\n')]), 60_000)
    ok(small.length <= 60_000 && large.length > 60_000, `${large.length} ${small.length}`)
    ok((sizeOf(small)[1] ?? 0) < 160)
    await rejects(
      pngFromSvg(Buffer.concat([noise, Buffer.from(' ')]), 500),
      /simpler SVG file: as PNG it has more than 64/,
    )
  })

  test('runs no script and loads nothing', async () => {
    let requests = 0
    const server = createServer((_request, response) => {
      requests++
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const active = `<script>fetch('${origin}')</script><script href="${origin}/a.js"/>
        <style>@import url(${origin}/a.css); rect { fill: url(${origin}/b.svg#c) green }</style>
        <foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${origin}"/></foreignObject>
        <use href="${origin}/d.svg#e"/><a href="javascript:alert(1)">${BOX}</a><set onbegin="alert(1)"/>`
      ok((await pngFromSvg(svg(active), PNG_MAX)).length > 0)
      for (const href of [`${origin}/x.png`, 'file:///etc/passwd', '/etc/passwd', '../../package.json'])
        await pngFromSvg(svg(`${BOX}<image width="9" height="9" xlink:href="${href}"/>`), PNG_MAX).catch(
          (error: Error) => equal(error.message, 'logo must not refer to other files'),
        )
      await rejects(
        pngFromSvg(svg(`${BOX}<image width="9" height="9" xlink:href="${origin}/x.png"/>`), PNG_MAX),
        /must not refer to other files/,
      )
      equal(requests, 0)
    } finally {
      server.close()
    }
  })

  const entities = Array.from({ length: 9 }, (_, index) => `<!ENTITY e${index + 1} "${`&e${index};`.repeat(10)}">`)
  const uses = Array.from(
    { length: 9 },
    (_, index) => `<g id="g${index + 1}">${`<use href="#g${index}"/>`.repeat(10)}</g>`,
  )
  for (const [what, file, why] of [
    ['text, which would be missing', svg('<text y="9">Shop</text>'), /must have no text: convert it to outlines/],
    ['nothing to see', svg('<rect width="0" height="0"/>'), /must show something/],
    ['no size', svg(BOX, 'width="0" height="0"'), /cannot be drawn/],
    ['a huge size', svg(BOX, 'width="1e9" height="1"'), /cannot be drawn|must show something/],
    ['no end', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><rect'), /cannot be drawn/],
    [
      'a billion laughs',
      Buffer.from(
        `<!DOCTYPE svg [<!ENTITY e0 "ha">${entities.join('')}]><svg xmlns="http://www.w3.org/2000/svg"><desc>&e9;</desc></svg>`,
      ),
      /cannot be drawn/,
    ],
    [
      'a file as an entity',
      Buffer.from(
        '<!DOCTYPE svg [<!ENTITY f SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg"><desc>&f;</desc></svg>',
      ),
      /cannot be drawn|must show something/,
    ],
    ['a billion copies', svg(`<g id="g0">${BOX}</g>${uses.join('')}<use href="#g9"/>`), /cannot be drawn/],
    ['a tower of groups', svg(`${'<g>'.repeat(7_000)}${BOX}${'</g>'.repeat(7_000)}`), /cannot be drawn/],
    ['a circle of references', svg('<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>'), /./],
  ] as const) {
    test(`with ${what} is refused`, () => rejects(pngFromSvg(file, PNG_MAX), why))
  }

  const costly = `<filter id="f" x="-1e5" y="-1e5" width="1e6" height="1e6">
      <feTurbulence numOctaves="100000" baseFrequency="0.5"/><feGaussianBlur stdDeviation="9000"/></filter>
    ${'<rect width="100" height="40" filter="url(#f)"/>'.repeat(2_000)}`
  test('that takes too long is refused, and its process is gone', async () => {
    const began = performance.now()
    await rejects(pngFromSvg(svg(costly), PNG_MAX, { seconds: 2, memoryMegabytes: 128 }), /cannot be drawn/)
    ok(performance.now() - began < 20_000)
  })

  test('that takes too much memory is refused', async () => {
    const large = svg(`${'<g opacity="0.99">'.repeat(100)}${BOX}${'</g>'.repeat(100)}`)
    const limits = { seconds: 20, memoryMegabytes: 6 }
    await rejects(pngFromSvg(large, PNG_MAX, limits), /cannot be drawn/)
    ok((await pngFromSvg(large, PNG_MAX)).length > 0)
  })

  test('is drawn again after one that was refused', async () => {
    await rejects(pngFromSvg(svg('<rect'), PNG_MAX))
    ok((await pngFromSvg(svg(`${BOX} `), PNG_MAX)).length > 0)
  })
})
