import { setTimeout as sleep } from 'node:timers/promises'
import type { DomPage } from './dom-page.ts'
import { byAttribute, byLabel, byRole, byText, type Filter, filters, type RoleOptions, type Text } from './find.ts'
import { innerText } from './shown.ts'

const LOOK_EVERY_MS = 5
/** How often it looks although nothing has changed in the document. */
const LOOK_ANYWAY_MS = 60
const WITHIN_MS = 30_000

interface Waiting {
  timeout?: number
}

interface Click extends Waiting {
  button?: 'left' | 'middle' | 'right'
  modifiers?: string[]
  force?: boolean
  clickCount?: number
}

type State = 'attached' | 'detached' | 'visible' | 'hidden'
type Found = (element: Element, argument?: unknown) => unknown

const BUTTONS = { left: '[MouseLeft]', middle: '[MouseMiddle]', right: '[MouseRight]' }

/** A locator of Playwright for a page without a browser: the members that tests use. */
export class DomLocator {
  readonly selector: string
  readonly #page: DomPage

  constructor(page: DomPage, selector: string) {
    this.#page = page
    this.selector = selector
  }

  #below = (part: string) => new DomLocator(this.#page, `${this.selector} >> ${part}`)

  page = () => this.#page
  toString = () => this.selector
  locator = (inner: string | DomLocator, filter?: Filter) =>
    this.#below(
      (typeof inner === 'string' ? inner : `internal:chain=${JSON.stringify(inner.selector)}`) + filters(filter),
    )
  filter = (filter: Filter) => new DomLocator(this.#page, this.selector + filters(filter))
  and = (other: DomLocator) => this.#below(`internal:and=${JSON.stringify(other.selector)}`)
  or = (other: DomLocator) => this.#below(`internal:or=${JSON.stringify(other.selector)}`)
  getByRole = (role: string, options?: RoleOptions) => this.#below(byRole(role, options))
  getByText = (text: Text, options?: { exact?: boolean }) => this.#below(byText(text, options))
  getByLabel = (text: Text, options?: { exact?: boolean }) => this.#below(byLabel(text, options))
  getByTitle = (text: Text, options?: { exact?: boolean }) => this.#below(byAttribute('title', text, options))
  getByPlaceholder = (text: Text, options?: { exact?: boolean }) =>
    this.#below(byAttribute('placeholder', text, options))
  nth = (index: number) => this.#below(`nth=${index}`)
  first = () => this.nth(0)
  last = () => this.nth(-1)

  count = async () => (await this.#allNow()).length
  all = async () => (await this.#allNow()).map((_, index) => this.nth(index))
  evaluateAll = async (read: (elements: Element[], argument?: unknown) => unknown, argument?: unknown) =>
    this.#page.call(read as never, [await this.#allNow(), argument])
  allInnerTexts = async () => (await this.#allNow()).map(innerText)
  allTextContents = async () => (await this.#allNow()).map(({ textContent }) => textContent ?? '')

  evaluate = async (read: Found, argument?: unknown, options?: Waiting) =>
    this.#page.call(read as never, [await this.#oneNow(options), argument])
  getAttribute = async (name: string, options?: Waiting) => (await this.#oneNow(options)).getAttribute(name)
  textContent = async (options?: Waiting) => (await this.#oneNow(options)).textContent
  innerText = async (options?: Waiting) => innerText(await this.#oneNow(options))
  innerHTML = async (options?: Waiting) => (await this.#oneNow(options)).innerHTML
  inputValue = async (options?: Waiting) => {
    const element = this.#page.finder().retarget(await this.#oneNow(options), 'follow-label')
    return (element as HTMLInputElement).value
  }

  isVisible = async () => {
    await this.#page.rest()
    const [first] = this.#single()
    return first !== undefined && this.#is(first, 'visible')
  }
  isHidden = async () => !(await this.isVisible())
  isDisabled = async (options?: Waiting) => this.#is(await this.#oneNow(options), 'disabled')
  isEnabled = async (options?: Waiting) => this.#is(await this.#oneNow(options), 'enabled')
  isEditable = async (options?: Waiting) => this.#is(await this.#oneNow(options), 'editable')
  isChecked = async (options?: Waiting) => this.#is(await this.#oneNow(options), 'checked')

  waitFor = async ({ state = 'visible', timeout }: { state?: State } & Waiting = {}) => {
    await this.#until(state, timeout, () => {
      const [first] = this.#single()
      if (state === 'attached') return first !== undefined
      if (state === 'detached') return first === undefined
      const isVisible = first !== undefined && this.#is(first, 'visible')
      return isVisible === (state === 'visible')
    })
  }

  click = async ({ button = 'left', modifiers = [], clickCount = 1, force, ...waiting }: Click = {}) => {
    const target = force ? await this.#one(waiting) : await this.#one(waiting, ['visible', 'enabled'])
    const user = this.#page.user()
    const keys = modifiers.map((key) => (key === 'ControlOrMeta' ? 'Control' : key))
    if (keys.length > 0) await user.keyboard(keys.map((key) => `{${key}>}`).join(''))
    for (let left = clickCount; left > 0; left--) await user.pointer([{ target }, { keys: BUTTONS[button], target }])
    if (keys.length > 0) await user.keyboard(keys.map((key) => `{/${key}}`).join(''))
    await this.#page.rest()
  }
  dblclick = async (options?: Click) => this.click({ ...options, clickCount: 2 })
  hover = async (options?: Waiting) => {
    await this.#page.user().hover(await this.#one(options, ['visible']))
    await this.#page.rest()
  }
  fill = async (value: string, options?: Waiting) => {
    const found = await this.#one(options, ['visible', 'enabled', 'editable'])
    const element = this.#page.finder().retarget(found, 'follow-label') as HTMLInputElement
    this.#page.fill(element, value)
    await this.#page.rest()
  }
  clear = async (options?: Waiting) => this.fill('', options)
  pressSequentially = async (text: string, options?: Waiting) => {
    await this.focus(options)
    await this.#page.keyboard.type(text)
  }
  press = async (key: string, options?: Waiting) => {
    await this.focus(options)
    await this.#page.keyboard.press(key)
  }
  focus = async (options?: Waiting) => {
    const element = (await this.#one(options)) as HTMLElement
    element.focus()
    await this.#page.rest()
  }
  blur = async (options?: Waiting) => {
    const element = (await this.#one(options)) as HTMLElement
    element.blur()
    await this.#page.rest()
  }
  check = async (options?: Waiting) => this.setChecked(true, options)
  uncheck = async (options?: Waiting) => this.setChecked(false, options)
  setChecked = async (isChecked: boolean, options?: Waiting) => {
    if ((await this.isChecked(options)) !== isChecked) await this.click(options)
    if ((await this.isChecked(options)) !== isChecked) throw new Error(`A click did not change ${this.selector}`)
  }
  selectOption = async (value: string | { value?: string; label?: string }, options?: Waiting) => {
    const element = await this.#one(options, ['visible', 'enabled'])
    const wanted = typeof value === 'string' ? { valueOrLabel: value } : value
    const chosen = this.#page.finder().selectOptions(element, [wanted])
    if (typeof chosen === 'string') throw new Error(`${chosen}: ${this.selector}`)
    await this.#page.rest()
    return chosen
  }
  dispatchEvent = async (type: string, init?: object, options?: Waiting) => {
    const element = await this.#one(options)
    const { Event } = this.#page.window
    element.dispatchEvent(new Event(type, { bubbles: true, cancelable: true, composed: true, ...init }) as never)
    await this.#page.rest()
  }
  scrollIntoViewIfNeeded = async (options?: Waiting) => void (await this.#one(options))

  /** Lets the page render first what it has received, as it does while a browser is asked. */
  async #allNow(): Promise<Element[]> {
    await this.#page.rest()
    return this.#all()
  }

  async #oneNow(options?: Waiting): Promise<Element> {
    await this.#page.rest()
    return this.#one(options)
  }

  #all(): Element[] {
    const finder = this.#page.finder()
    return finder.querySelectorAll(finder.parseSelector(this.selector), this.#page.window.document)
  }

  /** @throws if there are several: a locator of Playwright is strict */
  #single(): Element[] {
    const found = this.#all()
    if (found.length <= 1) return found
    const shown = found.slice(0, 5).map((element) => element.outerHTML.slice(0, 200))
    throw new Error(`strict mode violation: ${this.selector} resolved to ${found.length}:\n${shown.join('\n')}`)
  }

  #is = (element: Element, state: string) => this.#page.finder().elementState(element, state, true).matches

  /** Waits until there is one element with these states. */
  async #one({ timeout }: Waiting = {}, states: string[] = []): Promise<Element> {
    let found: Element | undefined
    await this.#until(states.join(', ') || 'attached', timeout, () => {
      ;[found] = this.#single()
      return found !== undefined && states.every((state) => this.#is(found as Element, state))
    })
    return found as Element
  }

  async #until(state: string, timeout = WITHIN_MS, holds: () => boolean): Promise<void> {
    const startedAt = performance.now()
    let [version, lookedAt] = [-1, 0]
    for (;;) {
      const now = performance.now()
      if (this.#page.version() !== version || now - lookedAt >= LOOK_ANYWAY_MS) {
        version = this.#page.version()
        lookedAt = now
        if (holds()) return
      }
      if (this.#page.isClosed()) throw new Error('Target page, context or browser has been closed')
      if (now - startedAt > timeout)
        throw new Error(`Timeout ${timeout}ms exceeded: ${this.selector} is not ${state} at ${this.#page.url()}`)
      await sleep(LOOK_EVERY_MS)
    }
  }
}
