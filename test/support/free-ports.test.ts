import { equal, ok } from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { freePort, freePorts } from './free-ports.ts'

const PROCESSES = 4
/** More ports than a block has. */
const PORTS = 60
const CHILD = 'takes ports'
const RANGE = '/proc/sys/net/ipv4/ip_local_port_range'

if (process.argv[2] === CHILD) {
  const ports = await Promise.all(Array.from({ length: PORTS }, freePort))
  process.send?.(ports)
  // The parent ends this process once it has the ports of all processes: until then they stay reserved.
  await once(process, 'disconnect')
} else {
  test('processes that ask at once never get the same port', async () => {
    const started = Array.from({ length: PROCESSES }, () => fork(import.meta.filename, [CHILD]))
    try {
      const lists = await Promise.all([freePorts(), ...started.map(portsOf)])
      const all = lists.flat()
      equal(all.length, PROCESSES * PORTS + 3)
      equal(new Set(all).size, all.length)
    } finally {
      for (const child of started) child.disconnect()
    }
  })

  test('a port that another program uses is left out', async () => {
    const [, , port] = await freePorts()
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(port + 1, '127.0.0.1', resolve))
    const ports = await freePorts()
    await new Promise((resolve) => other.close(resolve))
    equal(ports.includes(port + 1), false)
  })

  test('the kernel gives no such port to a program that asks for any', { skip: !existsSync(RANGE) }, async () => {
    const first = Number(readFileSync(RANGE, 'utf8').split(/\s+/)[0])
    for (let n = 0; n < 100; n++) ok((await freePort()) < first)
  })
}

async function portsOf(child: ChildProcess): Promise<number[]> {
  const [ports] = (await once(child, 'message')) as [number[]]
  return ports
}
