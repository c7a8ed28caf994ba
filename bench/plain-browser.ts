// A Chromium without Playwright, because Playwright stops each frame of another site until it has attached to it. Here
// only the page itself is attached to, so that frames and their processes start as they do for a payer.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { BROWSER_ARGUMENTS, browserProgram } from '../test/support/browser.ts'

export interface PlainBrowser {
  /** Opens the URL in a new context: nothing is cached, no connection is open. */
  open(url: string): Promise<PlainPage>
  close(): Promise<void>
}

export interface PlainPage {
  /**
   * Evaluates JavaScript in the page.
   *
   * @param expression a promise is awaited
   */
  evaluate<Result>(expression: string): Promise<Result>
  close(): Promise<void>
}

const LOAD_MS = 10_000
const QUIET_MS = 300

type Send = (method: string, params?: object, sessionId?: string) => Promise<Record<string, unknown>>

export async function startPlainBrowser(): Promise<PlainBrowser> {
  const { executablePath, env } = await browserProgram()
  const profile = await mkdtemp(join(tmpdir(), 'rialto-plain-browser-'))
  const own = ['--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
  const child = spawn(executablePath, [...BROWSER_ARGUMENTS, ...own], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  const socket = new WebSocket(await debuggingUrl(createInterface({ input: child.stderr })))
  // Its output is read, so that it never blocks on a full pipe.
  child.stderr.resume()
  await once(socket, 'open')
  const send = protocol(socket)
  return {
    open: (url) => openPage(send, url),
    async close() {
      const ended = once(child, 'exit')
      // The browser may end before it responds.
      await send('Browser.close').catch(() => {})
      await ended
      await rm(profile, { recursive: true, maxRetries: 5 })
    },
  }
}

async function debuggingUrl(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const [, url] = /DevTools listening on (ws:\S+)/.exec(line) ?? []
    if (url) return url
  }
  throw new Error('The browser did not start')
}

/** Speaks the Chrome DevTools Protocol: requests and their responses. Events are not needed. */
function protocol(socket: WebSocket): Send {
  const waiting = new Map<number, PromiseWithResolvers<Record<string, unknown>>>()
  let last = 0
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data))
    const pending = waiting.get(id)
    waiting.delete(id)
    if (error) pending?.reject(new Error(error.message))
    else pending?.resolve(result)
  })
  socket.addEventListener('close', () => {
    for (const { reject } of waiting.values()) reject(new Error('The browser ended'))
    waiting.clear()
  })
  return (method, params = {}, sessionId) => {
    if (socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error('The browser ended'))
    last += 1
    const pending = Promise.withResolvers<Record<string, unknown>>()
    waiting.set(last, pending)
    socket.send(JSON.stringify({ id: last, method, params, sessionId }))
    return pending.promise
  }
}

/**
 * Opens a page.
 *
 * @returns the page when it has loaded and has been still for a while: its browser has then prepared its next process
 */
async function openPage(send: Send, url: string): Promise<PlainPage> {
  const { browserContextId } = await send('Target.createBrowserContext')
  const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId })
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true })
  const page: PlainPage = {
    async evaluate<Result>(expression: string) {
      const params = { expression, awaitPromise: true, returnByValue: true }
      const { result, exceptionDetails } = await send('Runtime.evaluate', params, sessionId as string)
      if (exceptionDetails) throw new Error(JSON.stringify(exceptionDetails))
      return (result as { value: Result }).value
    },
    async close() {
      await send('Target.disposeBrowserContext', { browserContextId })
    },
  }
  await send('Page.navigate', { url }, sessionId as string)
  const isLoaded = () => page.evaluate<boolean>(`location.href !== 'about:blank' && document.readyState === 'complete'`)
  for (const end = performance.now() + LOAD_MS; !(await isLoaded().catch(() => false)); await sleep(20))
    if (performance.now() > end) throw new Error(`The page did not load: ${url}`)
  await sleep(QUIET_MS)
  return page
}
