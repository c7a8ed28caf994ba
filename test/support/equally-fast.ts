import { ok } from 'node:assert/strict'
import { newId } from '../../server/lib/ids.ts'

const CALLS = 40
const TRIES = 5

/**
 * Asserts that an unknown id and a foreign one take the same processor time within 20 %, independent of other processes
 * on the machine.
 */
export async function equallyFast(
  call: (id: string) => Promise<unknown>,
  foreign: string,
  { calls: count = CALLS } = {},
): Promise<void> {
  const timed = async (id: string) => {
    const start = process.cpuUsage()
    await call(id)
    const { user, system } = process.cpuUsage(start)
    return user + system
  }
  for (let tries = 1; ; tries++) {
    const times = { foreign: [] as number[], unknown: [] as number[] }
    for (let calls = 0; calls < count; calls++) {
      times.foreign.push(await timed(foreign))
      times.unknown.push(await timed(newId()))
    }
    const middle = (list: number[]) => list.sort((a, b) => a - b)[Math.floor(count / 2)] ?? 0
    const ratio = middle(times.foreign) / middle(times.unknown)
    if (ratio > 0.8 && ratio < 1.25) return
    ok(tries < TRIES, String(ratio))
  }
}
