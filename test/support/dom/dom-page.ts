import { resolveObjectURL } from 'node:buffer'
import { EventEmitter } from 'node:events'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { userEvent } from '@testing-library/user-event'
import type { DomContext } from './dom-context.ts'
import { DomLocator } from './dom-locator.ts'
import {
  byAttribute,
  byLabel,
  byRole,
  byText,
  type Filter,
  type Finder,
  filters,
  type RoleOptions,
  type Text,
} from './find.ts'
import { keysOf, typed } from './keys.ts'
import { type DomRequest, type DomResponse, matchesUrl, type UrlPattern } from './network.ts'
import { closeWindow, finderOf, type OpenedWindow, openWindow, runDashboard } from './open-window.ts'
import { PageClock } from './page-clock.ts'
import { type PageWindow, runInWindow } from './run-in-window.ts'

const LOOK_EVERY_MS = 5
const WITHIN_MS = 30_000
/** How long no request may be under way before a page counts as loaded. */
const IDLE_MS = 100
const MOST_REDIRECTS = 10

type Wanted<Value> = UrlPattern | ((value: Value) => unknown)
type User = ReturnType<typeof userEvent.setup>

/** A page of Playwright without a browser: the members that tests use. */
export class DomPage {
  readonly events = new EventEmitter()
  readonly #context: DomContext
  #opened: OpenedWindow | null = null
  #finder: Finder | null = null
  #user: User | null = null
  readonly clock = new PageClock((error) => this.#fail(error))
  #isClosed = false
  #loads = 0
  #underWay = 0

  constructor(context: DomContext) {
    this.#context = context
    this.events.setMaxListeners(0)
    this.events.on('started', () => this.#underWay++)
    this.events.on('ended', () => this.#underWay--)
  }

  get window(): PageWindow {
    if (!this.#opened) throw new Error('The page has no document yet')
    return this.#opened.window
  }
  version = () => this.#opened?.version() ?? 0
  finder = () => {
    this.#finder ??= finderOf(this.window)
    return this.#finder
  }
  user = () => {
    this.#user ??= userEvent.setup({
      document: this.window.document as never,
      delay: null,
      pointerEventsCheck: 0,
      writeToClipboard: true,
    })
    return this.#user
  }

  context = () => this.#context
  isClosed = () => this.#isClosed
  url = () => this.window.location.href
  title = async () => this.window.document.title
  content = async () => this.window.document.documentElement.outerHTML
  viewportSize = () => ({ width: 1280, height: 720 })
  on = (event: string, listener: (...given: never[]) => void) => void this.events.on(event, listener as never)
  off = (event: string, listener: (...given: never[]) => void) => void this.events.off(event, listener as never)
  once = (event: string, listener: (...given: never[]) => void) => void this.events.once(event, listener as never)
  removeAllListeners = (event: string) => void this.events.removeAllListeners(event)
  route = async (...given: Parameters<DomContext['network']['route']>) => this.#context.network.route(...given)
  unroute = async (...given: Parameters<DomContext['network']['unroute']>) => this.#context.network.unroute(...given)
  unrouteAll = async () => this.#context.network.unroute()

  locator = (selector: string, filter?: Filter) => new DomLocator(this, selector + filters(filter))
  getByRole = (role: string, options?: RoleOptions) => this.locator(byRole(role, options))
  getByText = (text: Text, options?: { exact?: boolean }) => this.locator(byText(text, options))
  getByLabel = (text: Text, options?: { exact?: boolean }) => this.locator(byLabel(text, options))
  getByTitle = (text: Text, options?: { exact?: boolean }) => this.locator(byAttribute('title', text, options))
  getByPlaceholder = (text: Text, options?: { exact?: boolean }) =>
    this.locator(byAttribute('placeholder', text, options))

  keyboard = {
    press: async (key: string) => this.#keyboard(keysOf(key)),
    type: async (text: string) => this.#keyboard(typed(text)),
    insertText: async (text: string) => this.#keyboard(typed(text)),
    down: async (key: string) => this.#keyboard(`{${key}>}`),
    up: async (key: string) => this.#keyboard(`{/${key}}`),
  }
  bringToFront = async () => {}

  evaluate = async (read: string | ((argument: unknown) => unknown), argument?: unknown) =>
    typeof read === 'string' ? runInWindow(this.window, `return (${read})`) : this.call(read as never, [argument])

  /** Calls a function whose free names are the members of the window. */
  call = (read: (...given: unknown[]) => unknown, given: unknown[]): unknown =>
    (runInWindow(this.window, `return (${read})`) as typeof read)(...given)

  goto = async (url: string) => this.#load(new URL(url, this.#opened ? this.url() : undefined).href)
  reload = async () => this.#load(this.url())
  goBack = async () => this.#move(-1)
  goForward = async () => this.#move(1)
  waitForLoadState = async (state = 'load') => {
    await this.rest()
    if (state !== 'networkidle') return
    let idleSince = performance.now()
    await this.#until('no request under way', undefined, () => {
      if (this.#underWay > 0) idleSince = performance.now()
      return performance.now() - idleSince > IDLE_MS
    })
  }
  waitForTimeout = async (ms: number) => void (await sleep(ms))
  waitForURL = async (pattern: UrlPattern, { timeout }: { timeout?: number } = {}) =>
    this.#until(`the address ${pattern}`, timeout, () => matchesUrl(pattern, this.url(), this.url()))
  waitForFunction = async (read: () => unknown, argument?: unknown) => {
    await this.#until(String(read), undefined, () => Boolean(this.call(read as never, [argument])))
  }
  waitForRequest = async (wanted: Wanted<DomRequest>) => this.#waitFor('request', wanted)
  waitForResponse = async (wanted: Wanted<DomResponse>) => this.#waitFor('response', wanted)
  waitForEvent = async (event: string, given?: ((value: unknown) => unknown) | { timeout?: number }) => {
    const isMeant = typeof given === 'function' ? given : () => true
    return this.#waitFor(event, isMeant as never)
  }

  /** Lets the scripts of the page do what they do at once. */
  rest = async () => {
    for (let turns = 3; turns > 0; turns--) await new Promise<void>((resolve) => setImmediate(resolve))
  }

  /** Replaces the value of a field, as if it were typed at once. React notices only the native setter. */
  fill(element: HTMLInputElement, value: string): void {
    const { HTMLInputElement, HTMLTextAreaElement, InputEvent } = this.window
    const kind = element.localName === 'textarea' ? HTMLTextAreaElement : HTMLInputElement
    element.focus()
    Object.getOwnPropertyDescriptor(kind.prototype, 'value')?.set?.call(element, value)
    element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText' }) as never)
    if (['date', 'time', 'color', 'month', 'range'].includes(element.type))
      element.dispatchEvent(new this.window.Event('change', { bubbles: true }) as never)
  }

  close = async () => {
    this.#isClosed = true
    this.#loads++
    await this.#leave()
    this.events.emit('close')
  }

  async #load(url: string): Promise<unknown> {
    const load = ++this.#loads
    const { response, finalUrl } = await this.#fetchDocument(url)
    const html = await response.text()
    const loaded = { status: () => response.status, ok: () => response.ok, text: async () => html }
    if (load !== this.#loads) return loaded
    const storage = this.#opened && Object.entries(this.window.localStorage)
    await this.#leave()
    this.#opened = openWindow({
      url: finalUrl,
      html,
      clock: this.clock,
      ...this.#context.options,
      isOnline: () => !this.#context.network.isOffline,
      fetch: (input, init) => this.#context.network.fetch({ base: this.url(), events: this.events }, input, init),
      console: this.#console(),
      onOpen: (to, target) => this.#open(to, target),
      onReload: () => void this.reload().catch((error) => this.#fail(error)),
      onDownload: (from, name) => void this.events.emit('download', savedFile(from, name)),
      onError: (error) => this.#fail(error),
    })
    for (const [name, value] of storage ?? []) this.window.localStorage.setItem(name, String(value))
    for (const run of this.#context.initScripts) this.call(run as never, [])
    this.window.addEventListener('error', (event) => this.#fail((event as unknown as ErrorEvent).error))
    runDashboard(this.window)
    await this.rest()
    this.events.emit('load')
    return loaded
  }

  async #fetchDocument(url: string): Promise<{ response: Response; finalUrl: string }> {
    let finalUrl = url
    for (let left = MOST_REDIRECTS; left > 0; left--) {
      const sent = { url: finalUrl, method: 'GET', headers: { accept: 'text/html' }, body: null }
      const response = await this.#context.network.send(sent, undefined, 'navigate')
      const to = response.headers.get('location')
      if (!to || response.status < 300 || response.status > 399) return { response, finalUrl }
      finalUrl = new URL(to, finalUrl).href
    }
    throw new Error(`${url} redirects without end`)
  }

  #open(url: string, target: string): null {
    if (target !== '_self') {
      const page = this.#context.newPageNow()
      this.events.emit('popup', page)
      page.goto(url).catch((error) => this.#fail(error))
      return null
    }
    const [document, fragment] = url.split('#')
    if (fragment !== undefined && document === this.url().split('#')[0]) {
      this.window.history.replaceState(null, '', url)
      return null
    }
    this.#load(url).catch((error) => this.#fail(error))
    return null
  }

  async #leave(): Promise<void> {
    if (this.#opened) await closeWindow(this.window)
    this.clock.leave()
    this.#finder = null
    this.#user = null
  }

  async #move(steps: number): Promise<void> {
    this.window.history.go(steps)
    await this.rest()
  }

  async #keyboard(keys: string): Promise<void> {
    await this.user().keyboard(keys)
    await this.rest()
  }

  #console(): Console {
    const say =
      (type: string) =>
      (...given: unknown[]) =>
        this.events.emit('console', { type: () => type, text: () => given.map(String).join(' ') })
    return new Proxy(console, { get: (_target, name) => say(String(name)) })
  }

  #fail(error: unknown): void {
    if (!this.#isClosed) this.events.emit('pageerror', error)
  }

  #waitFor<Value>(event: string, wanted: Wanted<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => {
        this.events.off(event, look)
        reject(new Error(`Timeout ${WITHIN_MS}ms exceeded while waiting for the event ${event}`))
      }, WITHIN_MS).unref()
      const look = async (value: Value) => {
        const address = (value as unknown as DomRequest).url
        const isMeant =
          typeof wanted === 'function' ? await wanted(value as never) : matchesUrl(wanted, address(), this.url())
        if (!isMeant) return
        clearTimeout(limit)
        this.events.off(event, look)
        resolve(value)
      }
      this.events.on(event, look)
    })
  }

  async #until(what: string, timeout = WITHIN_MS, holds: () => boolean): Promise<void> {
    const stopAt = performance.now() + timeout
    while (!holds()) {
      if (performance.now() > stopAt) throw new Error(`Timeout ${timeout}ms exceeded: ${what}; it is ${this.url()}`)
      await sleep(LOOK_EVERY_MS)
    }
  }
}

/** A download of Playwright: a file in the folder for temporary files. */
function savedFile(url: string, name: string) {
  const blob = resolveObjectURL(url)
  return {
    suggestedFilename: () => name,
    async path(): Promise<string> {
      const path = join(await mkdtemp(join(tmpdir(), 'rialto-download-')), 'file')
      await writeFile(path, Buffer.from((await blob?.arrayBuffer()) ?? new ArrayBuffer(0)))
      return path
    },
  }
}
