import {
  BLACK,
  contrast,
  DARK_SURFACE,
  DEFAULT_BRAND,
  GRAPHIC_CONTRAST,
  hex,
  parseHex,
  TEXT_CONTRAST,
  WHITE,
  withContrast,
} from '../../../contract/brand-color.ts'

/** Colors of a letter, with the contrast that WCAG 2.2 requires. */
export interface LetterBrand {
  /** Color of the button, and of the text on it. */
  color: string
  onColor: string
  /** Color of the band above the letter. */
  edge: string
  /** Color of links. */
  accent: string
  accentDark: string
}

/** Derives the colors from the one that the business sets, as on the payment page. */
export function letterBrand(brandColor: string | null): LetterBrand {
  const brand = parseHex(brandColor ?? '') ?? DEFAULT_BRAND
  return {
    color: hex(brand),
    onColor: hex(contrast(brand, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK),
    edge: hex(withContrast(brand, WHITE, BLACK, GRAPHIC_CONTRAST)),
    accent: hex(withContrast(brand, WHITE, BLACK, TEXT_CONTRAST)),
    accentDark: hex(withContrast(brand, DARK_SURFACE, WHITE, TEXT_CONTRAST)),
  }
}
