import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A page of the bank: its HTML, or where it redirects. */
export type BankPage = (origin: string) => string | { redirect: string }

/** A bank whose pages each test writes, on a separate site. */
export interface FakeBank {
  origin: string
  /** The pages by path; any other path is blank. */
  pages: Record<string, BankPage>
  /** The forms that were posted to it, by path. */
  posts: { path: string; form: URLSearchParams }[]
  close(): Promise<void>
}

export async function startFakeBank(): Promise<FakeBank> {
  const server = createServer(async (request, response) => {
    const { pathname: path } = new URL(request.url ?? '/', bank.origin)
    const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>)
    if (request.method === 'POST')
      bank.posts.push({ path, form: new URLSearchParams(Buffer.concat(chunks).toString()) })
    const page = bank.pages[path]?.(bank.origin) ?? ''
    if (typeof page !== 'string') return response.writeHead(302, { location: page.redirect }).end()
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><title>Bank</title><body>${page}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const bank: FakeBank = {
    origin: `http://bank.localhost:${(server.address() as AddressInfo).port}`,
    pages: {},
    posts: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return bank
}

/** Returns a page that posts itself to a URL at once, as banks do when they are done. */
export const postingPage = (action: string, fields: Record<string, string>): string => {
  const inputs = Object.entries(fields).map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
  return `<form method="post" action="${action}">${inputs.join('')}</form><script>document.forms[0].submit()</script>`
}
