import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { isLoopback, isSecret, isWebPage, SECRET_HEADER } from '../../lib/local-caller.ts'
import { serveBankPage } from './bank-pages.ts'
import type { Message } from './messages.ts'
import { Received, withMaskedNumber } from './received.ts'
import { readBody, sendText } from './request-body.ts'
import { type Deviation, readScriptBody, ThreeDsScript } from './script.ts'
import type { SimulatorParts } from './simulator-parts.ts'
import { API_CALLS } from './three-ds-api.ts'
import { Transactions } from './transactions.ts'

// Simulates a 3-D Secure server (`/3ds/…`), the bank of its cards (`/sim/acs/…`) and a control path for tests
// (`/_sim/3ds/…`). The bank's pages are for payers' browsers; the rest is for programs on this machine that have the
// secret.

export interface ThreeDsSimulatorOptions {
  environment: 'staging' | 'production'
  /** The `APIKey` of the 3-D Secure server and the secret of the control path. */
  secret: string
  timeScale?: number
  /** Returns the origin at which payers' browsers reach the bank. */
  publicUrl: () => string
}

export interface ThreeDsSimulator {
  /** Serves a request for one of its own paths; returns `false` for any other. */
  handle: (request: IncomingMessage, response: ServerResponse) => boolean
}

const OURS = /^\/(?:3ds|sim\/acs|_sim\/3ds)\//

/** @throws in production, where a simulated bank would vouch for strangers */
export function openThreeDsSimulator(options: ThreeDsSimulatorOptions): ThreeDsSimulator {
  if (options.environment === 'production') throw new Error('The 3-D Secure simulator does not run in production')
  const { secret, timeScale = 1, publicUrl } = options
  const parts: SimulatorParts = {
    transactions: new Transactions(),
    received: new Received(),
    script: new ThreeDsScript(),
    timeScale,
    publicUrl,
    now: () => performance.now(),
  }
  return {
    handle(request, response) {
      const { pathname = '' } = URL.parse(request.url ?? '', 'http://simulator') ?? {}
      if (!OURS.test(pathname)) return false
      serve({ parts, secret }, pathname, request, response).catch(() => response.destroy())
      return true
    },
  }
}

interface Served {
  parts: SimulatorParts
  secret: string
}

async function serve({ parts, secret }: Served, path: string, request: IncomingMessage, response: ServerResponse) {
  if (path.startsWith('/sim/acs/')) return serveBankPage(parts, path, request, response)
  const isApi = path.startsWith('/3ds/')
  const refusal = refuseProgram(request, secret, isApi ? 'apikey' : SECRET_HEADER)
  if (refusal) {
    request.resume()
    return sendText(response, refusal.status, refusal.text)
  }
  if (isApi) await serveApi(parts, path, request, response)
  else await serveControl(parts, `${request.method} ${path}`, request, response)
}

/** @returns `null` if the caller is a program that has the secret */
function refuseProgram(
  { headers }: IncomingMessage,
  secret: string,
  header: string,
): { status: number; text: string } | null {
  if (!isLoopback(headers)) return { status: 403, text: 'The Host must be 127.0.0.1 or localhost' }
  if (isWebPage(headers)) return { status: 403, text: 'Not for web pages' }
  return isSecret(headers[header], secret) ? null : { status: 401, text: 'Invalid API Key' }
}

async function serveApi(parts: SimulatorParts, path: string, request: IncomingMessage, response: ServerResponse) {
  const call = API_CALLS[path]
  const body = await readJson(request)
  if (!call) return sendText(response, 404, 'No such endpoint')
  if (request.method !== 'POST') return sendText(response, 405, 'POST only')
  if (!body) return sendText(response, 400, 'The body must be a JSON object, up to 64 KB')
  parts.received.note(call.noted, withMaskedNumber(body))
  const deviation = parts.script.take(call.scripted)
  if (deviation?.fault === 'silence') return
  if (deviation?.fault === 'reset') return void request.socket.resetAndDestroy()
  const { status, message } = await call.respond(parts, body)
  if (parts.script.latencyMs > 0) await sleep(parts.script.latencyMs, undefined, { ref: false })
  sendDeviating(response, deviation, status, message)
}

function sendDeviating(response: ServerResponse, deviation: Deviation | undefined, status: number, message: Message) {
  const { body, status: otherStatus = status, merge = {} } = deviation ?? {}
  const merged = Object.entries({ ...message, ...merge }).filter(([, value]) => value !== null)
  sendText(response, otherStatus, body ?? JSON.stringify(Object.fromEntries(merged)), 'application/json; charset=utf-8')
}

async function serveControl(parts: SimulatorParts, route: string, request: IncomingMessage, response: ServerResponse) {
  const body = await readJson(request)
  const { received, script, transactions } = parts
  if (route === 'GET /_sim/3ds/received') return sendJson(response, 200, received.all())
  if (route === 'POST /_sim/3ds/reset') {
    script.reset()
    received.clear()
  } else if (route === 'POST /_sim/3ds/script') {
    const arranged = readScriptBody(body)
    if (!arranged) return sendJson(response, 400, { error: 'the script is not valid' })
    script.apply(arranged)
    if (arranged.expireLookups) transactions.expireLookups(parts.now())
  } else return sendJson(response, 404, { error: 'no such path' })
  sendJson(response, 200, { ok: true })
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, JSON.stringify(body), 'application/json')
}

async function readJson(request: IncomingMessage): Promise<Message | null> {
  const text = await readBody(request)
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Message) : null
  } catch {
    return null
  }
}
