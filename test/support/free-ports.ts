import { once } from 'node:events'
import { createServer } from 'node:net'

/** Three ports that are free now. */
export async function freePorts(): Promise<[number, number, number]> {
  const servers = [createServer(), createServer(), createServer()]
  const ports = await Promise.all(
    servers.map(async (server) => {
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
      return (server.address() as { port: number }).port
    }),
  )
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  const [first = 0, second = 0, third = 0] = ports
  return [first, second, third]
}
