import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopback } from '../../lib/local-caller.ts'
import { type BankPage, bankDocument } from './bank-document.ts'
import { bankTexts } from './bank-texts.ts'
import { decodeMessage, encodeMessage, openChallenge, type Posted, submitChallenge } from './challenge.ts'
import { overPage, returnPage } from './challenge-page.ts'
import { readBody, sendText } from './request-body.ts'
import type { SimulatorParts } from './simulator-parts.ts'

// Pages of the simulated bank, which payers' browsers open in a frame: any web page may post to them, as at a real
// bank.

const PAGES: Record<string, (parts: SimulatorParts, posted: Posted) => BankPage> = {
  '/sim/acs/method': runMethod,
  '/sim/acs/challenge': openChallenge,
  '/sim/acs/challenge/submit': submitChallenge,
}
/** Pages whose response a script can change. */
const SCRIPTED = { '/sim/acs/method': 'method', '/sim/acs/challenge': 'challenge' } as const

const NOTIFICATION_URL_MAX = 256

export async function serveBankPage(
  parts: SimulatorParts,
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { headers } = request
  if (!isLoopback(headers) && headers.host !== new URL(parts.publicUrl()).host) {
    request.resume()
    return sendText(response, 403, 'The Host must be that of SIMULATOR_PUBLIC_URL')
  }
  const form = new URLSearchParams((await readBody(request)) ?? '')
  const page = PAGES[path]
  if (!page) return sendText(response, 404, 'No such page')
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST')
    return sendText(response, 405, 'This page opens during a payment')
  }
  const scripted = path in SCRIPTED ? parts.script.take(SCRIPTED[path as keyof typeof SCRIPTED]) : undefined
  if (scripted?.fault === 'silence') return
  if (scripted?.fault === 'reset') return void request.socket.resetAndDestroy()
  if (scripted?.body !== undefined) {
    return sendText(response, scripted.status ?? 200, scripted.body, 'text/html; charset=utf-8')
  }
  sendPage(response, page(parts, { form, acceptLanguage: headers['accept-language'] ?? 'en' }), scripted?.status)
}

function sendPage(response: ServerResponse, { status, html, headers }: BankPage, otherStatus = status): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  response.setHeader('cache-control', 'no-store')
  response.setHeader('x-content-type-options', 'nosniff')
  response.setHeader('referrer-policy', 'strict-origin')
  sendText(response, otherStatus, html, 'text/html; charset=utf-8')
}

/** Hidden page that inspects the browser before the authentication, and then notifies the requestor. */
function runMethod({ transactions, received }: SimulatorParts, { form, acceptLanguage }: Posted): BankPage {
  const data = decodeMessage(form.get('threeDSMethodData'))
  received.note('methods', data)
  const { threeDSServerTransID: id, threeDSMethodNotificationURL: url } = data ?? {}
  const transaction = transactions.find(id)
  if (!transaction || !isNotificationUrl(url)) return overPage(acceptLanguage)
  if (transaction.behaviour.method === 'works') {
    return returnPage(acceptLanguage, url, { threeDSMethodData: encodeMessage({ threeDSServerTransID: id }) })
  }
  const texts = bankTexts(acceptLanguage)
  return bankDocument({ texts, title: texts.waiting, body: `<h1>${texts.waiting}</h1>`, formAction: "'none'" })
}

function isNotificationUrl(url: unknown): url is string {
  return typeof url === 'string' && url.length <= NOTIFICATION_URL_MAX && /^https?:/.test(url) && URL.canParse(url)
}
