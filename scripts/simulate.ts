// npm run simulate -- [--seed N] [--seeds M] [--days D] [--population P] [--at-once A] [--trace]
//   [--mutant NAME | --mutants [--of TEXT]]
// The billing engine in simulated time, on a PostgreSQL of its own. The same seed does the same again.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../server/db/migrate.ts'
import { newId } from '../server/lib/ids.ts'
import { installMutant, MUTANTS } from '../test/simulation/recurring/mutants.ts'
import { startTestServer } from './test-server.ts'

type Simulate = typeof import('../test/simulation/recurring/simulate.ts').simulate

const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    days: { type: 'string', default: '365' },
    population: { type: 'string', default: '30' },
    'at-once': { type: 'string', default: '3' },
    trace: { type: 'boolean', default: false },
    mutant: { type: 'string' },
    mutants: { type: 'boolean', default: false },
    of: { type: 'string', default: '' },
  },
})
const [first, seeds, days, population] = [given.seed, given.seeds, given.days, given.population].map(Number) as [
  number,
  number,
  number,
  number,
]

/** Settings that avoid planning: planning the statements again costs more than running them on so few rows. */
const PLANNED_ONCE = { plan_cache_mode: 'force_generic_plan', jit: 'off' }

/** Errors of a busy machine, also in the log of the service: the seed is repeated. */
const TOO_SLOW = /Query read timeout|timeout exceeded when trying to connect|due to connection timeout/

/**
 * Number of seeds at once, because most of a simulation's time is spent waiting for the database. They share only the
 * server and objects that do not depend on a seed.
 */
const atOnce = given.trace ? 1 : Number(given['at-once'])
let simulatedYears = 0

process.exitCode = (given.mutants ? findMutants() : await simulateSeeds()) > 0 ? 1 : 0

/** Runs each mutant in its own process, because a module is loaded only once. */
function findMutants(): number {
  let missed = 0
  for (const { name } of MUTANTS.filter((mutant) => mutant.name.includes(given.of))) {
    const { seed, seeds: count, days: length, population: size } = given
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [import.meta.filename, '--mutant', name]
        .concat(['--seed', seed, '--seeds', count, '--days', length])
        .concat(['--population', size, '--at-once', given['at-once']]),
      { encoding: 'utf8' },
    )
    if (status === 0) missed += 1
    const [why] = stdout.split('\n').filter((line) => line.startsWith('✖'))
    if (status !== 0 && !why) throw new Error(`The mutant did not run: ${stderr}`)
    console.log(`${status === 0 ? 'MISSED' : 'found '} ${name}${why ? `: ${why.slice(2, 200)}` : ''}`)
  }
  return missed
}

/** Simulates the seeds. @returns the number of seeds that failed; a mutant is found by the first of them */
async function simulateSeeds(): Promise<number> {
  const mutant = MUTANTS.find(({ name }) => name === given.mutant)
  if (given.mutant !== undefined && !mutant) throw new Error(`No mutant is called "${given.mutant}"`)
  const isApplied = mutant ? installMutant(mutant) : () => true
  const { simulate } = await import('../test/simulation/recurring/simulate.ts')
  if (!isApplied()) throw new Error(`The mutant's file is not loaded: ${mutant?.file}`)
  let next = first
  let failed = 0
  async function work(): Promise<void> {
    while (next < first + seeds && !(mutant && failed > 0)) {
      const isPassed = await simulateSeed(simulate, next++)
      if (!isPassed) failed += 1
    }
  }
  const server = await startTestServer(PLANNED_ONCE)
  try {
    await makeTemplate(server.url)
    const begin = performance.now()
    await Promise.all(Array.from({ length: atOnce }, work))
    const rate = simulatedYears / ((performance.now() - begin) / 1_000)
    console.log(`${seeds} seeds, ${failed} failed, ${rate.toFixed(2)} subscription years a second`)
    return failed
  } finally {
    await server.close()
  }
}

async function simulateSeed(simulate: Simulate, seed: number, repeats = 2): Promise<boolean> {
  const begin = performance.now()
  const onLine = given.trace ? (line: string) => console.log(line) : () => {}
  try {
    const { hash, counts } = await simulate({ seed, days, population, onLine })
    const seconds = (performance.now() - begin) / 1_000
    const years = counts.subscriptionDays / 365
    console.log(
      `✔ seed ${seed} ${hash} ${seconds.toFixed(1)} s, ${years.toFixed(1)} subscription years`,
      JSON.stringify(counts),
    )
    simulatedYears += years
    return true
  } catch (error) {
    if (repeats > 0 && TOO_SLOW.test(String(error))) return simulateSeed(simulate, seed, repeats - 1)
    console.log(`✖ ${error instanceof Error ? error.message : String(error)}`)
    console.log(`Again: npm run simulate -- --seed ${seed} --days ${days} --population ${population} --trace`)
    return false
  }
}

async function makeTemplate(serverUrl: string): Promise<void> {
  const template = `rialto_simulation_${newId().replaceAll('-', '')}`
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${template}`)
  await client.end()
  const url = new URL(serverUrl)
  url.pathname = template
  await migrate(url.href)
  process.env.RIALTO_TEST_DATABASE_URL = serverUrl
  process.env.RIALTO_TEST_TEMPLATE = template
}
