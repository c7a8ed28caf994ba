// 200 sessions paid at the same instant, and a comparison of the books of service and gateway afterwards.
import { performance } from 'node:perf_hooks'
import pg from 'pg'
import { Agent } from 'undici'
import type { SimulatorAccess } from '../server/gateway/simulator/access.ts'
import { simulatorControl } from '../server/gateway/simulator/control.ts'
import { audit } from '../test/support/audit.ts'
import { makeTokens, PAYMENT } from './load-program.ts'
import type { Target } from './processes.ts'
import { median } from './report.ts'

const SESSIONS = 200

interface Round {
  /** Time until the last response. */
  ms: number
  typical: number
  paid: number
}

/** @throws if a payment failed, or the books do not agree */
export async function measurePaidAtOnce(
  ours: Target,
  { databaseUrl, simulator, rounds }: { databaseUrl: string; simulator: SimulatorAccess; rounds: number },
): Promise<void> {
  const done: Round[] = []
  for (let round = 0; round < rounds; round++) done.push(await payAll(ours))
  const findings = await auditBooks(databaseUrl, simulator)
  const paid = done.reduce((sum, round) => sum + round.paid, 0)
  const middle = (of: (round: Round) => number) => Math.round(median(done.map(of)))
  console.log(`\n${SESSIONS} sessions paid at once, gateway over HTTP: medians of ${rounds} rounds`)
  console.log(
    `  all paid after ${middle(({ ms }) => ms)} ms, the median payer after ${middle(({ typical }) => typical)} ms`,
  )
  console.log(`  ${paid} of ${rounds * SESSIONS} paid; the audit of the books finds ${findings.length}`)
  if (paid < rounds * SESSIONS || findings.length > 0) throw new Error(JSON.stringify(findings.slice(0, 5)))
}

async function payAll({ url, createPath, headers }: Target): Promise<Round> {
  const tokens = await makeTokens({ url, createPath, headers }, SESSIONS)
  const dispatcher = new Agent({ connections: SESSIONS })
  const began = performance.now()
  const times: number[] = []
  const pay = async (token: string) => {
    const response = await dispatcher.request({
      origin: url,
      method: 'POST',
      path: `/api/checkout/${token}/pay`,
      headers: { 'content-type': 'application/json' },
      body: PAYMENT,
    })
    const { ok } = (await response.body.json()) as { ok: boolean }
    times.push(performance.now() - began)
    return ok
  }
  // `makeTokens` finishes sessions that it has begun, so there may be some more.
  const results = await Promise.all(tokens.slice(0, SESSIONS).map(pay))
  await dispatcher.close()
  return { ms: Math.max(...times), typical: median(times), paid: results.filter(Boolean).length }
}

async function auditBooks(connectionString: string, simulator: SimulatorAccess) {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const query = async (text: string) => (await client.query(text)).rows
    return await audit({ query, rows: await simulatorControl(simulator).rows() })
  } finally {
    await client.end()
  }
}
