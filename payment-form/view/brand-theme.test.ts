import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contrast, parseHex, withContrast } from '../../contract/brand-color.ts'
import { FONT_STACKS } from '../../contract/page-look.ts'
import { themeCss } from './brand-theme.ts'

const WHITE = [255, 255, 255] as const
const BLACK = [0, 0, 0] as const

test('the contrast is that of WCAG', () => {
  assert.equal(contrast(BLACK, WHITE), 21)
  assert.equal(contrast(WHITE, WHITE), 1)
  assert.equal(contrast([119, 119, 119], WHITE).toFixed(2), '4.48')
})

test('a colour with enough contrast is kept, another is mixed until it has enough', () => {
  assert.deepEqual(withContrast([0, 80, 160], WHITE, BLACK, 4.5), [0, 80, 160])
  for (const color of [[255, 238, 0], WHITE, [128, 200, 255]] as const)
    assert.ok(contrast(withContrast(color, WHITE, BLACK, 4.5), WHITE) >= 4.5)
})

test('text on the button is readable on every brand colour', () => {
  for (let red = 0; red < 256; red += 15)
    for (let green = 0; green < 256; green += 15)
      for (let blue = 0; blue < 256; blue += 15) {
        const brand_color = `#${[red, green, blue].map((part) => part.toString(16).padStart(2, '0')).join('')}`
        const css = themeCss({ brand_color })
        const onBrand = parseHex(/--on-brand:(#\w+)/.exec(css)?.[1] ?? '')
        assert.ok(onBrand && contrast(onBrand, [red, green, blue]) >= 4.5)
      }
})

test('what is not a colour never reaches the stylesheet', () => {
  assert.equal(themeCss({ brand_color: 'red;}body{display:none' }), themeCss({ brand_color: null }))
})

test('corners and fonts are of their list, and anything else is the usual one', () => {
  assert.match(themeCss({}), /--radius:10px;--font:system-ui,/)
  for (const corner_radius of [0, 16])
    assert.match(themeCss({ corner_radius }), new RegExp(`--radius:${corner_radius}px;`))
  for (const corner_radius of [-1, 17, Number.NaN, '0}body{' as never])
    assert.equal(themeCss({ corner_radius }), themeCss({}))
  const stacks = FONT_STACKS.map((font_stack) => /--font:([^}]+)/.exec(themeCss({ font_stack }))?.[1] ?? '')
  assert.equal(new Set(stacks).size, FONT_STACKS.length)
  for (const stack of stacks) assert.match(stack, /,(?:sans-)?serif$/)
  assert.equal(themeCss({ font_stack: 'url(//x)' as never }), themeCss({}))
})
