// Selectors of Playwright, and the script that resolves them, which Playwright runs in every page. So an element is
// found by role, name, label or text by the same rules as in a browser.

export type Text = string | RegExp

export interface RoleOptions {
  name?: Text
  exact?: boolean
  checked?: boolean
  disabled?: boolean
  expanded?: boolean
  includeHidden?: boolean
  level?: number
  pressed?: boolean
  selected?: boolean
  description?: Text
}

interface StateResult {
  matches: boolean
  received: string
}

/** What is used of Playwright's script. */
export interface Finder {
  parseSelector(selector: string): object
  querySelectorAll(selector: object, root: unknown): Element[]
  elementState(element: Element, state: string, isFrameVisible: boolean): StateResult
  retarget(element: Element, behavior: 'follow-label'): Element
  selectOptions(element: Element, options: object[]): string | string[]
  _engines: Map<string, { queryAll(root: Element, selector: string): Element[] }>
}

/** Returns the body of a function that makes the finder of a window. */
export const finderBody = (script: string) =>
  `const module = {};\n${script}\nreturn new (module.exports.InjectedScript())(window, ${JSON.stringify({
    isUnderTest: false,
    sdkLanguage: 'javascript',
    testIdAttributeName: 'data-testid',
    stableRafCount: 1,
    browserName: 'chromium',
    customEngines: [],
  })})`

export const byText = (text: Text, { exact = false } = {}) => `internal:text=${textValue(text, exact)}`
export const byLabel = (text: Text, { exact = false } = {}) => `internal:label=${textValue(text, exact)}`
export const byAttribute = (name: string, text: Text, { exact = false } = {}) =>
  `internal:attr=[${name}=${attributeValue(text, exact)}]`

export function byRole(role: string, { exact = false, name, description, includeHidden, ...states }: RoleOptions = {}) {
  const values: [string, string][] = Object.entries(states).map(([state, value]) => [state, String(value)])
  if (includeHidden !== undefined) values.push(['include-hidden', String(includeHidden)])
  if (name !== undefined) values.push(['name', attributeValue(name, exact)])
  if (description !== undefined) values.push(['description', attributeValue(description, exact)])
  return `internal:role=${role}${values.map(([key, value]) => `[${key}=${value}]`).join('')}`
}

export interface Filter {
  hasText?: Text
  hasNotText?: Text
  has?: { selector: string }
  hasNot?: { selector: string }
  visible?: boolean
}

/** Returns the further parts of a selector. */
export function filters({ hasText, hasNotText, has, hasNot, visible }: Filter = {}): string {
  const parts = [
    hasText !== undefined && `internal:has-text=${textValue(hasText, false)}`,
    hasNotText !== undefined && `internal:has-not-text=${textValue(hasNotText, false)}`,
    has && `internal:has=${JSON.stringify(has.selector)}`,
    hasNot && `internal:has-not=${JSON.stringify(hasNot.selector)}`,
    visible !== undefined && `visible=${visible}`,
  ]
  return parts.flatMap((part) => (part ? ` >> ${part}` : [])).join('')
}

const textValue = (text: Text, exact: boolean) =>
  typeof text === 'string' ? JSON.stringify(text) + (exact ? 's' : 'i') : regexValue(text)

const attributeValue = (text: Text, exact: boolean) =>
  typeof text === 'string'
    ? `"${text.replace(/\\/g, '\\\\').replace(/"/g, '\\"')}"${exact ? 's' : 'i'}`
    : regexValue(text)

function regexValue(text: RegExp): string {
  if (text.unicode || text.unicodeSets) return String(text)
  return String(text)
    .replace(/(^|[^\\])(\\\\)*(["'`])/g, '$1$2\\$3')
    .replace(/>>/g, '\\>\\>')
}
