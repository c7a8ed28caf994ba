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
import type { FormBusiness } from '../../contract/checkout-form.ts'
import { CORNER_RADIUS, type FontStack } from '../../contract/page-look.ts'

// The business sets one colour; all others are derived from it, with the contrast that WCAG 2.2 requires. Its other
// choices are from a list.

/** Fonts that systems provide, with a generic fallback: the policy of the page does not let it load fonts. */
const FONTS: Record<FontStack, string> = {
  system: 'system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",Arial,sans-serif',
  humanist: 'Seravek,"Gill Sans Nova",Ubuntu,Calibri,"DejaVu Sans",source-sans-pro,sans-serif',
  geometric: 'Avenir,Montserrat,Corbel,"URW Gothic",source-sans-pro,sans-serif',
  rounded:
    'ui-rounded,"Hiragino Maru Gothic ProN",Quicksand,Comfortaa,Manjari,"Arial Rounded MT Bold",Calibri,sans-serif',
  serif: 'Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,"Noto Serif",serif',
}

type Look = Pick<FormBusiness, 'brand_color' | 'corner_radius' | 'font_stack'>

/** Returns custom properties for the `<style>` of the page: `:root{…}` and its dark variant. */
export function themeCss({ brand_color, corner_radius, font_stack }: Partial<Look>): string {
  const brand = parseHex(brand_color ?? '') ?? DEFAULT_BRAND
  const onBrand = contrast(brand, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK
  const light = surfaceColors(brand, LIGHT_SURFACE, BLACK)
  const dark = surfaceColors(brand, DARK_SURFACE, WHITE)
  const shape = `--radius:${radiusOf(corner_radius)}px;--font:${FONTS[font_stack ?? 'system'] ?? FONTS.system}`
  return `:root{--brand:${hex(brand)};--on-brand:${hex(onBrand)};${light};${shape}}
@media (prefers-color-scheme:dark){:root{${dark}}}`
}

/** Returns the radius. Only a number in the range gets into the stylesheet. */
function radiusOf(pixels: number | undefined): number {
  const { min, max, usual } = CORNER_RADIUS
  return pixels !== undefined && pixels >= min && pixels <= max ? pixels : usual
}

function surfaceColors(brand: Rgb, surface: Rgb, towards: Rgb): string {
  const edge = withContrast(brand, surface, towards, GRAPHIC_CONTRAST)
  const accent = withContrast(brand, surface, towards, TEXT_CONTRAST)
  return `--brand-edge:${hex(edge)};--accent:${hex(accent)}`
}
