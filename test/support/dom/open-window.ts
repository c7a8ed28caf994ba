import { GlobalWindow } from 'happy-dom'
import { readProgram } from './build-program.ts'
import { type Finder, finderBody } from './find.ts'
import type { PageClock } from './page-clock.ts'
import { type PageWindow, runInWindow } from './run-in-window.ts'
import { showWithoutLayout } from './shown.ts'

export interface WindowOptions {
  url: string
  html: string
  clock: PageClock
  locale: string
  timeZone: string
  isOnline(): boolean
  fetch: typeof fetch
  console: Console
  /** Called when a script or a link opens another document: `_self` or the name of another window. */
  onOpen(url: string, target: string): unknown
  onReload(): void
  onDownload(url: string, name: string): void
  onError(error: unknown): void
}

const { script, finder, rules } = await readProgram()
const finderSource = finderBody(finder)

const WIDTH = 1280
const HEIGHT = 720

export interface OpenedWindow {
  window: PageWindow
  /** Increases with each change of the document. */
  version(): number
}

/** Opens a document. Its scripts do not run: `runDashboard` does so. */
export function openWindow(options: WindowOptions): OpenedWindow {
  const window = new GlobalWindow({
    url: options.url,
    width: WIDTH,
    height: HEIGHT,
    settings: {
      device: { prefersReducedMotion: 'reduce' },
      navigation: {
        disableMainFrameNavigation: true,
        disableChildFrameNavigation: true,
        disableFallbackToSetURL: true,
      },
      handleDisabledFileLoadingAsSuccess: true,
    },
  }) as unknown as PageWindow
  define(window, membersOf(window, options))
  define(window.navigator, {
    language: options.locale,
    languages: [options.locale],
    platform: 'Linux x86_64',
  })
  Object.defineProperty(window.navigator, 'onLine', { get: options.isOnline, configurable: true })
  window.document.write(withoutScripts(options.html))
  saveFiles(window, options)
  const version = showWithoutLayout(window, rules)
  return { window, version }
}

/** Runs the dashboard in the document's element `#root`, if it has one. */
export function runDashboard(window: PageWindow): void {
  if (window.document.getElementById('root')) runInWindow(window, script)
}

export async function closeWindow(window: PageWindow): Promise<void> {
  const root = window.dashboardRoot as { unmount(): void } | undefined
  root?.unmount()
  await window.happyDOM.close()
}

export function finderOf(window: PageWindow): Finder {
  const finder = runInWindow(window, finderSource) as Finder
  // happy-dom has no XPath; tests use it for the parent alone.
  finder._engines.set('xpath', {
    queryAll: (root, selector) => (selector === '..' && root.parentElement ? [root.parentElement] : []),
  })
  return finder
}

const withoutScripts = (html: string) =>
  html.replace(/<script\b.*?<\/script>/gs, '').replace(/<link rel="(?:stylesheet|preload|modulepreload)"[^>]*>/g, '')

function membersOf(window: PageWindow, options: WindowOptions): Record<string, unknown> {
  const { clock, console, onError, onOpen } = options
  return {
    ...clock.globals(),
    fetch: options.fetch,
    console,
    reportError: onError,
    open: (url: string | URL, target = '_blank') => onOpen(new URL(url, window.location.href).href, target),
    location: locationOf(window, options),
    Intl: intlOf(options),
    innerWidth: WIDTH,
    innerHeight: HEIGHT,
    scrollTo: () => {},
    scrollBy: () => {},
    print: () => {},
  }
}

/** A link that a script presses to save a file need not be part of the document. */
function saveFiles(window: PageWindow, { onDownload }: WindowOptions): void {
  const links = window.HTMLAnchorElement.prototype as unknown as HTMLAnchorElement
  const press = links.click
  links.click = function click(this: HTMLAnchorElement) {
    if (this.hasAttribute('download')) onDownload(this.href, this.download)
    else press.call(this)
  }
}

function define(target: object, members: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true })
}

function locationOf(window: PageWindow, { onOpen, onReload }: WindowOptions): unknown {
  const real = window.location
  const go = (url: string | URL) => onOpen(new URL(url, real.href).href, '_self')
  return new Proxy(real, {
    get(_target, name) {
      if (name === 'assign' || name === 'replace') return go
      if (name === 'reload') return onReload
      const value = Reflect.get(real, name, real)
      return typeof value === 'function' ? value.bind(real) : value
    },
    set(_target, name, value) {
      if (name === 'href') go(value)
      else Reflect.set(real, name, value, real)
      return true
    },
  })
}

/** A person's browser has a time zone and a language, which this process does not share. */
function intlOf({ locale, timeZone }: WindowOptions): unknown {
  const { DateTimeFormat, NumberFormat } = Intl
  const own = {
    DateTimeFormat: new Proxy(DateTimeFormat, {
      construct: (_target, [locales = locale, given]) => new DateTimeFormat(locales, { timeZone, ...given }),
      apply: (_target, _this, [locales = locale, given]) => new DateTimeFormat(locales, { timeZone, ...given }),
    }),
    NumberFormat: new Proxy(NumberFormat, {
      construct: (_target, [locales = locale, given]) => new NumberFormat(locales, given),
    }),
  }
  return new Proxy(Intl, { get: (real, name) => Reflect.get(own, name) ?? Reflect.get(real, name) })
}
