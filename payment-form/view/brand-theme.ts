import {
  BLACK,
  contrast,
  GRAPHIC_CONTRAST,
  hex,
  LIGHT_SURFACE,
  parseHex,
  type Rgb,
  TEXT_CONTRAST,
  WHITE,
  withContrast,
} from '../../contract/brand-color.ts'

// The business sets one colour; everything else is derived from it, with the contrast that WCAG 2.2 requires.

const DEFAULT_BRAND = '#1f4e8c'
/** The dark surface of page.css behind brand colours. */
const DARK_SURFACE: Rgb = [31, 36, 44]

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
