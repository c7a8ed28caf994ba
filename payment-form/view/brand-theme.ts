import {
  BLACK,
  contrast,
  DARK_SURFACE,
  DEFAULT_BRAND,
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

/** Custom properties for the `<style>` of the page: `:root{…}` and its dark variant. */
export function themeCss(brandColor: string | null): string {
  const brand = parseHex(brandColor ?? '') ?? DEFAULT_BRAND
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
