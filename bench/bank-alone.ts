// The simulated bank's page of the method, in a frame of a page that does nothing else: the time that a browser needs
// for a page of another site and its post back. It does not use anything of Rialto.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { returnPage } from '../server/three-d-secure/simulator/challenge-page.ts'
import type { PlainBrowser } from './plain-browser.ts'

export interface BankAlone {
  /** Measures the time from the form's submission until the notification is back. */
  measure(browser: PlainBrowser): Promise<number>
  close(): Promise<void>
}

export async function openBankAlone(): Promise<BankAlone> {
  let notified = Promise.withResolvers<void>()
  const html = (response: ServerResponse, body: string) => response.setHeader('content-type', 'text/html').end(body)
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    request.resume()
    // A page at localhost and a bank at 127.0.0.1 are two sites, like with a service on this machine.
    if (request.url === '/method') {
      const bank = returnPage('en', `${origin}/notified`, { threeDSMethodData: 'e30' })
      for (const [name, value] of Object.entries(bank.headers)) response.setHeader(name, value)
      return html(response, bank.html)
    }
    if (request.url === '/notified') notified.resolve()
    if (request.url === '/wait') await notified.promise
    html(response, request.url === '/' ? PAGE : '<!doctype html>')
  }
  const server = createServer((request, response) => void serve(request, response))
  await new Promise<void>((resolve) => server.listen(0, resolve))
  const { port } = server.address() as AddressInfo
  const origin = `http://localhost:${port}`
  return {
    async measure(browser) {
      notified = Promise.withResolvers()
      const page = await browser.open(`${origin}/`)
      try {
        return await page.evaluate<number>(`(${run})('http://127.0.0.1:${port}/method')`)
      } finally {
        await page.close()
      }
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const PAGE = `<!doctype html><title>Page</title><form method="post" target="bank"></form>
<iframe name="bank" sandbox="allow-forms allow-scripts allow-same-origin allow-popups"></iframe>`

/** Runs in the page. */
async function run(bankUrl: string): Promise<number> {
  const began = performance.now()
  const [form] = document.forms
  if (!form) throw new Error('no form')
  form.action = bankUrl
  form.submit()
  await fetch('/wait')
  return performance.now() - began
}
