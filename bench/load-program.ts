// One load, in a process of its own: `node bench/load-program.ts '<json of Load>'` prints a LoadResult as JSON.
import { performance } from 'node:perf_hooks'
import { Client } from 'undici'

export interface Load {
  url: string
  /** What one round does. `pay` takes tokens that exist already. */
  operation: 'create' | 'pay' | 'whole'
  connections: number
  seconds: number
  createPath: string
  headers: Record<string, string>
  /** For `pay`. */
  tokens?: string[]
  cardNumber?: string
}

export interface LoadResult {
  done: number
  failed: number
  perSecond: number
  p50: number
  p99: number
}

const SESSION = JSON.stringify({
  amount_total: 25.99,
  currency: 'USD',
  customer_email: 'buyer@example.com',
  success_url: 'https://shop.example/ok',
  cancel_url: 'https://shop.example/no',
  metadata: { order: '42' },
})

const card = (cardNumber: string) =>
  JSON.stringify({
    payment_method_type: 'new_card',
    amount: 25.99,
    cardData: { cardNumber, month: '12', year: 2031, nameOnCard: 'Ana Roy', cvv: '123' },
  })

export async function runLoad(load: Load): Promise<LoadResult> {
  const times: number[] = []
  const tokens = [...(load.tokens ?? [])]
  const body = card(load.cardNumber ?? '4242424242424242')
  let failed = 0
  const start = performance.now()
  const end = start + load.seconds * 1000
  const worker = async () => {
    const client = new Client(load.url, { pipelining: 1 })
    const post = async (path: string, text: string, headers: Record<string, string>) => {
      const answer = await client.request({
        method: 'POST',
        path,
        headers: { 'content-type': 'application/json', ...headers },
        body: text,
      })
      return {
        status: answer.statusCode,
        body: (await answer.body.json()) as { ok: boolean; checkout_session?: { token: string } },
      }
    }
    while (performance.now() < end) {
      const began = performance.now()
      let token = load.operation === 'pay' ? tokens.pop() : undefined
      if (load.operation === 'pay' && token === undefined) break
      let ok = true
      if (load.operation !== 'pay') {
        const created = await post(load.createPath, SESSION, load.headers)
        ok = created.body.ok
        token = created.body.checkout_session?.token
      }
      if (ok && load.operation !== 'create') ok = (await post(`/api/checkout/${token}/pay`, body, {})).body.ok
      if (ok) times.push(performance.now() - began)
      else failed += 1
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: load.connections }, worker))
  const seconds = (performance.now() - start) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => Number((times[Math.floor(times.length * share)] ?? 0).toFixed(2))
  return { done: times.length, failed, perSecond: Math.round(times.length / seconds), p50: at(0.5), p99: at(0.99) }
}

/** Tokens of fresh sessions, made as fast as may be. */
export async function makeTokens(
  load: Omit<Load, 'operation' | 'seconds' | 'connections'>,
  count: number,
): Promise<string[]> {
  const tokens: string[] = []
  const worker = async () => {
    const client = new Client(load.url, { pipelining: 1 })
    while (tokens.length < count) {
      const headers = { 'content-type': 'application/json', ...load.headers }
      const answer = await client.request({ method: 'POST', path: load.createPath, headers, body: SESSION })
      const { checkout_session: session } = (await answer.body.json()) as { checkout_session?: { token: string } }
      if (!session) throw new Error(`A session was refused with ${answer.statusCode}`)
      tokens.push(session.token)
    }
    await client.close()
  }
  await Promise.all(Array.from({ length: 16 }, worker))
  return tokens
}

if (import.meta.main) {
  const load = JSON.parse(process.argv[2] ?? '{}') as Load & { makeTokens?: number }
  const tokens = load.operation === 'pay' ? await makeTokens(load, load.makeTokens ?? 20_000) : []
  console.log(JSON.stringify(await runLoad({ ...load, tokens })))
}
