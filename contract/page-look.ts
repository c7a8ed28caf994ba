import Type from 'typebox'
import { OneOf } from './formats.ts'

// How the payment page of a business looks, apart from its colours.

/** Font stacks that devices provide; the page itself loads no fonts. */
export const FONT_STACKS = ['system', 'humanist', 'geometric', 'rounded', 'serif'] as const
export type FontStack = (typeof FONT_STACKS)[number]

/** Radius of the corners of fields and buttons, in CSS pixels. */
export const CORNER_RADIUS = { min: 0, max: 16, usual: 10 } as const

/** Look of the page in the data of the form. */
export const PageLook = {
  corner_radius: Type.Optional(
    Type.Integer({
      ...{ minimum: CORNER_RADIUS.min, maximum: CORNER_RADIUS.max },
      description: 'Corner radius of fields and buttons, in CSS pixels; 10 when absent.',
    }),
  ),
  font_stack: Type.Optional(
    Type.Unsafe<FontStack>({
      ...OneOf(FONT_STACKS),
      description: 'A list of fonts that devices have; `system` when absent.',
    }),
  ),
}
