const NAMES: Record<string, string> = { ControlOrMeta: 'Control', Space: ' ', Spacebar: ' ' }

/** Returns the notation of user-event for a key of Playwright, such as `Shift+Tab`. */
export function keysOf(press: string): string {
  const keys = press === '+' ? ['+'] : press.split('+').map((key) => NAMES[key] ?? key)
  const key = keys.pop() ?? ''
  const held = keys.map((one) => `{${one}>}`).join('')
  const released = keys.toReversed().map((one) => `{/${one}}`)
  return `${held}${key.length === 1 ? typed(key) : `{${key}}`}${released.join('')}`
}

/** Escapes a text that user-event types. */
export const typed = (text: string) => text.replace(/[{[]/g, '$&$&').replaceAll('\n', '{Enter}')
