// A gateway that takes 300 ms, 512 payments in flight, ten connections: a service that holds a connection during the
// call achieves 33 payments per second.
import type { SimulatorAccess } from '../server/gateway/simulator/access.ts'
import { simulatorControl } from '../server/gateway/simulator/control.ts'
import { load, type Target } from './processes.ts'

const DELAY_MS = 300
const IN_FLIGHT = 512

export async function measureSlowGateway(ours: Target, simulator: SimulatorAccess, seconds: number): Promise<void> {
  const control = simulatorControl(simulator)
  const noDelay = await load(ours, { operation: 'pay', connections: 32, seconds, makeTokens: 4_000 * seconds })
  await control.script({ latency: { minMs: DELAY_MS, maxMs: DELAY_MS } })
  const slow = await load(ours, { operation: 'pay', connections: IN_FLIGHT, seconds, makeTokens: 2_500 * seconds })
  await control.resetScript()
  const little = Math.round(IN_FLIGHT / (DELAY_MS / 1000))
  const bound = Math.min(little, noDelay.perSecond)
  console.log(`\nGateway of ${DELAY_MS} ms, ${IN_FLIGHT} payments in flight, 10 connections`)
  console.log(`  ${slow.perSecond} a second, p50 ${slow.p50} ms, p99 ${slow.p99} ms, ${slow.failed} failed`)
  console.log(
    `  Little's law allows ${little}, without delay it is ${noDelay.perSecond}: ${(slow.perSecond / bound).toFixed(2)} of the lower`,
  )
}
