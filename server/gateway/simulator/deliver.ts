import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LedgerRow } from './ledger-row.ts'
import type { Reply } from './record.ts'
import type { Simulator } from './simulator.ts'

/** Wait before a reset, which discards unread data; long enough for the client to read the data. */
const HALF_READ_MS = 20

/** Delivers or breaks the response according to `reply.delivery`, and records in the ledger how it was delivered. */
export async function deliver(response: ServerResponse, reply: Reply, simulator: Simulator): Promise<void> {
  if (reply.waitMs > 0) await sleep(reply.waitMs, undefined, { ref: false })
  const delivered = await send(response, reply)
  if (reply.row) simulator.ledger.noteDelivery(reply.row, delivered, simulator.script.now())
}

async function send(response: ServerResponse, { response: body, delivery }: Reply): Promise<LedgerRow['delivered']> {
  if (response.destroyed || delivery === 'silence') return 'no'
  if (delivery === 'response') {
    sendJson(response, 200, body)
    return 'yes'
  }
  if (delivery === 'half') {
    await sendHalf(response, JSON.stringify(body))
    return 'partly'
  }
  if (delivery === 'reset') response.socket?.resetAndDestroy()
  else sendText(response, delivery.status, delivery.body)
  return 'no'
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, status, JSON.stringify(body))
}

function sendText(response: ServerResponse, status: number, text: string): void {
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  response.writeHead(status, headers).end(text)
}

async function sendHalf(response: ServerResponse, text: string): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.write(text.slice(0, text.length / 2))
  await sleep(HALF_READ_MS)
  response.socket?.resetAndDestroy()
}
