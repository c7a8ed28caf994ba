import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Respond = (response: ServerResponse) => void

/** Call that a fake server received. */
export interface ReceivedCall {
  path: string
  headers: IncomingMessage['headers']
  body: Record<string, unknown>
}

/** Server that responds as a test tells it to, even incorrectly. */
export interface FakeThreeDsServer {
  url: string
  received: ReceivedCall[]
  /** Sets each further response: JSON with status 200, or whatever the function does. */
  respond(how: object | Respond): void
  close(): Promise<void>
}

export async function startFakeThreeDsServer(): Promise<FakeThreeDsServer> {
  const received: ReceivedCall[] = []
  let reply: Respond = () => {}
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    received.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text || '{}') })
    reply(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/3ds/`,
    received,
    respond: (how) => {
      reply = isFunction(how) ? how : (response) => void response.end(JSON.stringify(how))
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const isFunction = (how: object | Respond): how is Respond => typeof how === 'function'
