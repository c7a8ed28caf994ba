// Requests that are all alike, in a separate process: `node bench/request-load-program.ts '<json of RequestLoad>'`.
import { Client } from 'undici'
import { timed } from './timed.ts'

export interface RequestLoad {
  url: string
  method: 'GET' | 'POST'
  /** Paths, taken in turn. */
  paths: string[]
  /** Bodies, taken in turn. */
  bodies?: string[]
  headers: Record<string, string>
  connections: number
  seconds: number
}

const { url, method, paths, bodies, ...load } = JSON.parse(process.argv[2] ?? '{}') as RequestLoad
const headers = { ...load.headers, ...(bodies && { 'content-type': 'application/json' }) }
let asked = 0
const result = await timed(load, () => {
  const client = new Client(url, { pipelining: 1 })
  return {
    async once() {
      const path = paths[asked % paths.length] ?? ''
      const body = bodies?.[asked % bodies.length]
      asked += 1
      const response = await client.request({ method, path, headers, ...(body !== undefined && { body }) })
      await response.body.text()
      return response.statusCode < 300
    },
    close: () => client.close(),
  }
})
console.log(JSON.stringify(result))
