import { Agent } from 'undici'
import type { Gateway } from '../../gateway.ts'
import { type Exchange, postOnce } from '../../http-exchange.ts'
import { SECRET_HEADER, type SimulatorAccess } from '../../simulator/access.ts'
import { type ProtocolOptions, type SimulatorRequest, simulatorOver } from './simulator-protocol.ts'

const CONNECT_TIMEOUT_MS = 10_000
/** Shorter than the simulator's own, so that it is we who close an idle socket. */
const IDLE_SOCKET_MS = 60_000

/**
 * The simulator as a gateway, over HTTP. Any number of requests may be in flight, each on a socket of its own.
 *
 * @param url of the simulator: `http://127.0.0.1:4010`
 * @param secret of its start
 */
export function simulatorGateway({ url, secret, ...options }: SimulatorAccess & ProtocolOptions): Gateway {
  const { origin } = new URL(url)
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    // The caller's signal is the only deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: IDLE_SOCKET_MS,
    keepAliveMaxTimeout: IDLE_SOCKET_MS,
    // One request at a time on a socket: nothing waits behind a slow response.
    pipelining: 1,
    allowH2: false,
  })
  return simulatorOver(
    async (op, request) =>
      parsed(await postOnce(agent, { ...postRequest(request, secret), origin, path: `/v1/${op}` })),
    { ...options, close: () => agent.destroy() },
  )
}

function postRequest({ terminal, body, mayStillSend, signal }: SimulatorRequest, secret: string) {
  const headers = {
    authorization: `Bearer ${terminal.id}`,
    'content-type': 'application/json',
    [SECRET_HEADER]: secret,
  }
  return { headers, body: JSON.stringify(body), mayStillSend, signal }
}

/** What is not JSON is not a response. The parser's own words are not passed on: they quote the text. */
function parsed(exchange: Exchange<string>): Exchange {
  if (exchange.kind !== 'response') return exchange
  try {
    return { ...exchange, body: JSON.parse(exchange.body) }
  } catch {
    return { kind: 'no_response', message: `HTTP ${exchange.status} with a response that is not JSON` }
  }
}
