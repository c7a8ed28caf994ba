import { setTimeout as sleep } from 'node:timers/promises'
import type { Exchange } from '../../../lib/http-exchange.ts'
import type { Gateway } from '../../gateway.ts'
import type { Reply } from '../../simulator/record.ts'
import type { Simulator } from '../../simulator/simulator.ts'
import { type ProtocolOptions, type SimulatorRequest, simulatorOver, type Transport } from './simulator-protocol.ts'

/**
 * Returns a gateway that calls the simulator in process, for tests and benchmarks that are not about HTTP. It simulates
 * the same transport failures as the HTTP adapter. Closing the gateway closes the simulator.
 */
export function directSimulatorGateway(simulator: Simulator, options: ProtocolOptions = {}): Gateway {
  return simulatorOver(transportInto(simulator), { ...options, close: () => simulator.close() })
}

function transportInto(simulator: Simulator): Transport {
  return async (op, request) => {
    if (request.signal.aborted) return { kind: 'not_sent', message: 'the deadline had already passed' }
    const down = simulator.script.down()
    if (down === 'refuse') return { kind: 'not_sent', message: 'ECONNREFUSED' }
    if (request.mayStillSend?.() === false)
      return { kind: 'not_sent', message: 'this process no longer owns the operation' }
    if (down === 'silence') return silence(request.signal)
    if (down) return { kind: 'no_response', message: 'the gateway is down' }

    const reply = await simulator.handle(op, request.terminal.id, request.body).catch(() => null)
    if (!reply) return { kind: 'no_response', message: 'the simulator failed' }
    const exchange = await deliver(reply, request)
    const delivered = exchange.kind === 'response' && reply.delivery === 'response' ? 'yes' : 'no'
    if (reply.row) simulator.ledger.noteDelivery(reply.row, delivered, simulator.script.now())
    return exchange
  }
}

async function deliver({ response, delivery, waitMs }: Reply, { signal }: SimulatorRequest): Promise<Exchange> {
  if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => {})
  if (signal.aborted || delivery === 'silence') return silence(signal)
  if (delivery === 'reset' || delivery === 'half') return { kind: 'no_response', message: 'ECONNRESET' }
  if (delivery === 'response') return { kind: 'response', status: 200, body: response }
  return { kind: 'response', status: delivery.status, body: jsonOrText(delivery.body) }
}

async function silence(signal: AbortSignal): Promise<Exchange> {
  if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
  return { kind: 'no_response', message: 'the deadline has passed' }
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
