// The business gives one colour; everything else follows from it, with the contrast that WCAG 2.2 asks for.

type Rgb = readonly [red: number, green: number, blue: number]

const DEFAULT_BRAND = '#1f4e8c'
const TEXT_CONTRAST = 4.5
const GRAPHIC_CONTRAST = 3

/** The surfaces of page.css that brand colours stand on. */
const LIGHT_SURFACE: Rgb = [245, 246, 248]
const DARK_SURFACE: Rgb = [31, 36, 44]
const WHITE: Rgb = [255, 255, 255]
const BLACK: Rgb = [0, 0, 0]
const MIX_STEPS = 20

/** Custom properties for the `<style>` of the page: `:root{…}` and its dark variant. */
export function themeCss(brandColor: string | null): string {
  const brand = parseHex(brandColor ?? '') ?? (parseHex(DEFAULT_BRAND) as Rgb)
  const onBrand = contrast(brand, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK
  const light = surfaceColors(brand, LIGHT_SURFACE, BLACK)
  const dark = surfaceColors(brand, DARK_SURFACE, WHITE)
  return `:root{--brand:${hex(brand)};--on-brand:${hex(onBrand)};${light}}
@media (prefers-color-scheme:dark){:root{${dark}}}`
}

function surfaceColors(brand: Rgb, surface: Rgb, towards: Rgb): string {
  const edge = withContrast(brand, surface, towards, GRAPHIC_CONTRAST)
  const accent = withContrast(brand, surface, towards, TEXT_CONTRAST)
  return `--brand-edge:${hex(edge)};--accent:${hex(accent)}`
}

/** The colour itself when it stands out enough, else mixed towards black or white until it does. */
export function withContrast(color: Rgb, surface: Rgb, towards: Rgb, wanted: number): Rgb {
  const steps = Array.from({ length: MIX_STEPS + 1 }, (_, step) => mix(color, towards, step / MIX_STEPS))
  return steps.find((candidate) => contrast(candidate, surface) >= wanted) ?? towards
}

/** @see WCAG 2.2, «contrast ratio»: 1 to 21 */
export function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function mix(color: Rgb, towards: Rgb, share: number): Rgb {
  const at = (index: 0 | 1 | 2) => Math.round(color[index] + (towards[index] - color[index]) * share)
  return [at(0), at(1), at(2)]
}

/** `#abc` or `#aabbcc`; anything else is refused, so that no other text gets into the stylesheet. */
export function parseHex(text: string): Rgb | null {
  const digits = /^#(?:[\da-f]{3}){1,2}$/i.test(text) ? text.slice(1) : null
  if (!digits) return null
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const value = Number.parseInt(full, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function hex(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
