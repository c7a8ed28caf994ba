import pg from 'pg'

/** Every table of our schemas, including pg-boss's. */
const TABLES = `select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname not in ('pg_catalog', 'information_schema') order by 1`

/** Tables that change by themselves: counters, and records of refused calls after their response. */
const BY_THEMSELVES = ['public.member_trace', 'public.member_visit', 'public.rate_limit', 'public.refused_request']

/** Counts the rows of each table of the service, except for those that change by themselves (counters, jobs). */
export function countRows(databaseUrl: string): Promise<Record<string, number>> {
  return withTables(databaseUrl, async (client, tables) => {
    const ours = tables.filter((name) => name.startsWith('public.') && !BY_THEMSELVES.includes(name))
    const counts = ours.map((name) => `select '${name}' as name, count(*)::int as rows from ${name}`)
    const { rows } = await client.query<{ name: string; rows: number }>(counts.join(' union all '))
    return Object.fromEntries(rows.map((row) => [row.name, row.rows]))
  })
}

/** Returns how many rows each table has more than before; unchanged tables are left out. */
export async function addedRows(databaseUrl: string, before: Record<string, number>): Promise<Record<string, number>> {
  const changes = Object.entries(await countRows(databaseUrl)).map(
    ([table, rows]) => [table, rows - (before[table] ?? 0)] as const,
  )
  return Object.fromEntries(changes.filter(([, rows]) => rows !== 0))
}

/** Returns every row of every table as one line of JSON, with bytes both as hex and as text. */
export function dumpRows(databaseUrl: string): Promise<string> {
  return withTables(databaseUrl, async (client, tables) => {
    const lines: string[] = []
    for (const table of tables) {
      const { rows } = await client.query<Record<string, unknown>>(`select * from ${table}`)
      for (const row of rows) lines.push(`${table} ${JSON.stringify(row, spellBytes)}`)
    }
    return lines.join('\n')
  })
}

function spellBytes(this: Record<string, unknown>, key: string, value: unknown): unknown {
  const given = this[key]
  return Buffer.isBuffer(given) ? { hex: given.toString('hex'), text: given.toString('latin1') } : value
}

async function withTables<Result>(
  databaseUrl: string,
  work: (client: pg.Client, tables: string[]) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(TABLES)
    return await work(
      client,
      rows.map(({ name }) => name),
    )
  } finally {
    await client.end()
  }
}
