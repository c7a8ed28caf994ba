// How brand colours are checked when they are set, and adjusted where they are shown.

export type Rgb = readonly [red: number, green: number, blue: number]

/** Minimum contrasts of WCAG 2.2: for text, and for graphics such as the edge of a button. */
export const TEXT_CONTRAST = 4.5
export const GRAPHIC_CONTRAST = 3

export const WHITE: Rgb = [255, 255, 255]
export const BLACK: Rgb = [0, 0, 0]
/** The surface behind brand colours on the payment page, in the light scheme. */
export const LIGHT_SURFACE: Rgb = [245, 246, 248]

/** Brand colour of a business that has set none. */
export const DEFAULT_BRAND: Rgb = [31, 78, 140]
/** The surface behind brand colours in the dark scheme. */
export const DARK_SURFACE: Rgb = [31, 36, 44]

const MIX_STEPS = 20

/** Returns the colour itself if its contrast is sufficient; otherwise mixes it towards black or white until it is. */
export function withContrast(color: Rgb, surface: Rgb, towards: Rgb, wanted: number): Rgb {
  const steps = Array.from({ length: MIX_STEPS + 1 }, (_, step) => mix(color, towards, step / MIX_STEPS))
  return steps.find((candidate) => contrast(candidate, surface) >= wanted) ?? towards
}

/** Contrast ratio of two colours as WCAG 2.2 defines it: 1 to 21. */
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

/** Reads `#abc` or `#aabbcc`; refuses anything else, so that no other text gets into the stylesheet. */
export function parseHex(text: string): Rgb | null {
  const digits = /^#(?:[\da-f]{3}){1,2}$/i.test(text) ? text.slice(1) : null
  if (!digits) return null
  const full = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const value = Number.parseInt(full, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

export function hex(color: Rgb): string {
  return `#${color.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}
