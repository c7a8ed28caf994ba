import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { until } from './until.ts'

export interface ReceivedWebhook {
  path: string
  headers: IncomingHttpHeaders
  /** Body as it was received. */
  body: string
  atMs: number
}

/** Responds to a webhook. Without a response of its own, it is 200. */
type Respond = (response: ServerResponse, webhook: ReceivedWebhook, count: number) => void

export interface WebhookReceiver extends AsyncDisposable {
  url: string
  received: ReceivedWebhook[]
  respond: Respond
  /** Resolves when so many webhooks have been received. */
  count(total: number, withinMs?: number): Promise<ReceivedWebhook[]>
  close(): Promise<void>
}

/** Opens a merchant's server on loopback, on any free port by default. */
export async function openReceiver(
  respond: Respond = (response) => response.end(),
  port = 0,
): Promise<WebhookReceiver> {
  const received: ReceivedWebhook[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const webhook = { path: request.url ?? '', headers: request.headers, body, atMs: performance.now() }
      received.push(webhook)
      receiver.respond(response, webhook, received.length)
    })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  const receiver: WebhookReceiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    received,
    respond,
    count: (total, withinMs) =>
      until(`${total} webhooks have come`, () => received.length >= total && received.slice(0, total), withinMs),
    close,
    [Symbol.asyncDispose]: close,
  }
  return receiver
}
