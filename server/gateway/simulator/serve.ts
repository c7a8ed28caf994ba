import type { IncomingMessage, ServerResponse } from 'node:http'
import { refuseCaller } from './access.ts'
import { deliver, sendJson } from './deliver.ts'
import type { LedgerRowView } from './ledger-row.ts'
import type { Listener } from './listener.ts'
import type { Op, Simulator } from './simulator.ts'
import type { ScriptBody } from './wire.ts'

const BODY_BYTES_MAX = 1_000_000

const OPS: Record<string, Op> = {
  '/v1/sale': 'sale',
  '/v1/verify': 'verify',
  '/v1/void': 'void',
  '/v1/refund': 'refund',
  '/v1/inquire': 'inquire',
  '/v1/list': 'list',
  '/v1/batch': 'batch',
  '/v1/settle': 'settle',
}

export interface RowFilter {
  merchantRef?: string | undefined
  terminal?: string | undefined
}

interface Served {
  simulator: Simulator
  listener: Listener
  /** Secret that callers must send; new at each start. */
  secret: string
}

/** The only path that needs no secret. */
const HEALTH = '/_sim/health'

/** Handles one request. Rejects only if the ledger cannot be written. */
export async function serve(served: Served, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '/'
  const refusal = refuseCaller(request.headers, served.secret, url !== HEALTH)
  if (refusal) {
    request.resume()
    return sendJson(response, refusal.status, { error: refusal.error })
  }
  const op = OPS[url]
  if (op) await serveGateway(served.simulator, op, request, response)
  else await serveControl(served, url, request, response)
}

async function serveGateway(simulator: Simulator, op: Op, request: IncomingMessage, response: ServerResponse) {
  const down = simulator.script.down()
  if (down === 'silence') request.resume()
  else if (down === 'unavailable') sendJson(response, 503, { error: 'the gateway is down' })
  else if (down) request.socket.resetAndDestroy()
  if (down) return

  const body = await readJson(request)
  if (body === undefined) return sendJson(response, 400, { error: 'the body must be JSON, up to 1 MB' })
  await deliver(response, await simulator.handle(op, terminalOf(request), body), simulator)
}

async function serveControl(
  { simulator, listener }: Served,
  url: string,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const parsed = URL.parse(url, 'http://simulator')
  const route = `${request.method} ${parsed?.pathname}`
  if (route === `GET ${HEALTH}`) return sendJson(response, 200, { ok: true })
  if (route === 'GET /_sim/clock') return sendJson(response, 200, { now: simulator.script.now() })
  if (route === 'GET /_sim/ledger') {
    const { merchantRef, terminal } = Object.fromEntries(parsed?.searchParams ?? [])
    return sendJson(response, 200, { rows: selectRows(simulator, { merchantRef, terminal }) })
  }
  const body = (await readJson(request)) ?? null
  if (route === 'POST /_sim/settle') return deliver(response, await simulator.settle(body), simulator)
  if (route === 'POST /_sim/reset-script') simulator.script.reset()
  else if (route !== 'POST /_sim/script') return sendJson(response, 404, { error: 'no such path' })
  else {
    const complaint = simulator.applyScript(body)
    if (complaint) return sendJson(response, 400, { error: complaint })
    closePort(listener, response, (body as ScriptBody).down)
  }
  sendJson(response, 200, { ok: true })
}

function closePort(listener: Listener, response: ServerResponse, down: ScriptBody['down']): void {
  if (down?.mode === 'refuse') response.once('close', () => listener.closeFor(down.forMs))
}

/** Returns the matching rows in the order of their decisions. */
export function selectRows({ ledger }: Simulator, { merchantRef, terminal }: RowFilter): LedgerRowView[] {
  const isWanted = (field: string | undefined, value: string) => field === undefined || field === value
  return ledger.rows
    .filter((row) => isWanted(merchantRef, row.merchantRef) && isWanted(terminal, row.terminal))
    .map((row) => ledger.view(row))
}

function terminalOf(request: IncomingMessage): string {
  return /^Bearer (\S{1,64})$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
}

/** Reads a JSON body. Returns `undefined` if it is not JSON, is too long, or if the client disconnected. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request) {
      size += chunk.length
      // The body is read to the end anyway: a client that is still sending may not read an early response.
      if (size <= BODY_BYTES_MAX) chunks.push(chunk)
    }
    if (size > BODY_BYTES_MAX) return undefined
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return undefined
  }
}
