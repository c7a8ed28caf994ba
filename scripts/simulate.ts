// npm run simulate -- [--seed N] [--seeds M] [--days D] [--population P] [--trace] [--mutant NAME | --mutants]
// The billing engine in simulated time, on a PostgreSQL of its own. The same seed does the same again.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../server/db/migrate.ts'
import { newId } from '../server/lib/ids.ts'
import { installMutant, MUTANTS } from '../test/simulation/recurring/mutants.ts'
import { startTestServer } from './test-server.ts'

const { values: given } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    days: { type: 'string', default: '365' },
    population: { type: 'string', default: '30' },
    trace: { type: 'boolean', default: false },
    mutant: { type: 'string' },
    mutants: { type: 'boolean', default: false },
  },
})
const [first, seeds, days, population] = [given.seed, given.seeds, given.days, given.population].map(Number) as [
  number,
  number,
  number,
  number,
]

/** Planning the statements anew costs more than running them on so few rows. */
const PLANNED_ONCE = { plan_cache_mode: 'force_generic_plan', jit: 'off' }

process.exitCode = given.mutants ? findMutants() : await simulateSeeds()

/** Each mutant in a process of its own, because a module is loaded once. */
function findMutants(): number {
  let missed = 0
  for (const { name } of MUTANTS) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [import.meta.filename, '--mutant', name, '--seed', given.seed, '--seeds', given.seeds, '--days', given.days],
      { encoding: 'utf8' },
    )
    if (status === 0) missed += 1
    const [why = ''] = `${stdout}${stderr}`.split('\n').filter((line) => line.startsWith('✖'))
    console.log(`${status === 0 ? 'MISSED' : 'found '} ${name}${why && `: ${why.slice(2, 200)}`}`)
  }
  return missed
}

async function simulateSeeds(): Promise<number> {
  const mutant = MUTANTS.find(({ name }) => name === given.mutant)
  if (given.mutant !== undefined && !mutant) throw new Error(`No mutant is called "${given.mutant}"`)
  const isApplied = mutant ? installMutant(mutant) : () => true
  const { simulate } = await import('../test/simulation/recurring/simulate.ts')
  if (!isApplied()) throw new Error(`The mutant's file is not loaded: ${mutant?.file}`)
  let seed = first
  const server = await startTestServer(PLANNED_ONCE)
  try {
    await makeTemplate(server.url)
    for (; seed < first + seeds; seed++) {
      const begin = performance.now()
      const onLine = given.trace ? (line: string) => console.log(line) : () => {}
      const { hash, counts } = await simulate({ seed, days, population, onLine })
      const seconds = (performance.now() - begin) / 1_000
      const years = counts.subscriptionDays / 365
      console.log(
        `✔ seed ${seed} ${hash} ${seconds.toFixed(1)} s, ${years.toFixed(1)} subscription years (${(years / seconds).toFixed(2)}/s)`,
        JSON.stringify(counts),
      )
    }
    return 0
  } catch (error) {
    console.log(`✖ ${error instanceof Error ? error.message : String(error)}`)
    console.log(`Again: npm run simulate -- --seed ${seed} --days ${days} --population ${population} --trace`)
    return 1
  } finally {
    await server.close()
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
