import { DomPage } from './dom-page.ts'
import { Network } from './network.ts'

export interface ContextOptions {
  locale?: string
  timezoneId?: string
}

/** A context of Playwright without a browser: the pages of a person, with their cookies. */
export class DomContext {
  readonly network: Network
  readonly options: { locale: string; timeZone: string }
  readonly initScripts: (() => unknown)[] = []
  #pages: DomPage[] = []
  readonly #prepare: (page: DomPage) => void

  constructor({ locale = 'en-CA', timezoneId = 'America/Toronto' }: ContextOptions, prepare: (page: DomPage) => void) {
    this.options = { locale, timeZone: timezoneId }
    this.network = new Network({ 'accept-language': locale })
    this.#prepare = prepare
  }

  pages = () => this.#pages.filter((page) => !page.isClosed())
  newPage = async () => this.newPageNow()
  addCookies = async (cookies: { name: string; value: string }[]) => {
    for (const { name, value } of cookies) this.network.cookies.set(name, value)
  }
  clearCookies = async () => this.network.cookies.clear()
  cookies = async () => [...this.network.cookies].map(([name, value]) => ({ name, value }))
  route = async (...given: Parameters<Network['route']>) => this.network.route(...given)
  unroute = async (...given: Parameters<Network['unroute']>) => this.network.unroute(...given)
  grantPermissions = async () => {}
  addInitScript = async (run: () => unknown) => void this.initScripts.push(run)
  setOffline = async (isOffline: boolean) => {
    this.network.isOffline = isOffline
    for (const { window } of this.pages()) window.dispatchEvent(new window.Event(isOffline ? 'offline' : 'online'))
  }
  close = async () => {
    for (const page of this.#pages.splice(0)) await page.close()
    await this.network.close()
  }

  newPageNow(): DomPage {
    const page = new DomPage(this)
    this.#pages.push(page)
    this.#prepare(page)
    return page
  }
}
