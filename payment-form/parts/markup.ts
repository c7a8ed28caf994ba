import { html } from 'ghtml'

export type Attributes = Record<string, string | number | boolean | null | undefined>

/**
 * Renders attributes as escaped `name="value"`; `true` as the bare name, `false`, `null` and `undefined` not at all.
 */
export function attributes(all: Attributes): string {
  return Object.entries(all)
    .filter(([, value]) => value !== false && value !== null && value !== undefined)
    .map(([name, value]) => (value === true ? name : html`${name}="${value}"`))
    .join(' ')
}

/** Renders an icon of the sprite; without a label it is decorative. */
export function icon(id: string, className = 'icon', label: string | null = null): string {
  const role = label ? attributes({ role: 'img', 'aria-label': label }) : attributes({ 'aria-hidden': 'true' })
  return html`<svg class="${className}" !${role}><use href="#${id}"></use></svg>`
}
