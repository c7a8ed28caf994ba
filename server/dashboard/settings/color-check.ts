import {
  BLACK,
  contrast,
  GRAPHIC_CONTRAST,
  hex,
  LIGHT_SURFACE,
  parseHex,
  TEXT_CONTRAST,
  WHITE,
  withContrast,
} from '../../../contract/brand-color.ts'
import { invalidField } from '../../lib/errors.ts'

/**
 * Returns what a colour becomes on the payment page.
 *
 * @throws ApiError `validation_failed` unless it is written `#rrggbb`
 */
export function checkColor(text: string) {
  const color = /^#[\da-f]{6}$/i.test(text) ? parseHex(text) : null
  if (!color) throw invalidField('brand_color', 'must be a colour such as #1f4e8c')
  const found = contrast(color, LIGHT_SURFACE)
  return {
    object: 'color_check' as const,
    contrast: Math.floor(found * 100) / 100,
    is_accepted: found >= GRAPHIC_CONTRAST,
    nearest: hex(withContrast(color, LIGHT_SURFACE, BLACK, GRAPHIC_CONTRAST)),
    text_color: hex(contrast(color, WHITE) >= TEXT_CONTRAST ? WHITE : BLACK),
  }
}
