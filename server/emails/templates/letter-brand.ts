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

/** Colours of a letter, with the contrasts of WCAG 2.2. */
export interface LetterBrand {
  /** Of the button, and of the text on it. */
  color: string
  onColor: string
  /** Of the band above the letter. */
  edge: string
  /** Of links. */
  accent: string
  accentDark: string
}

/** Derived from the one colour that the business sets, as on the payment page. */
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
