import pg from 'pg'

/** Holds what the statement locks, as another request does in its transaction, until it is released. */
export async function holdLock(
  { databaseUrl }: { databaseUrl: string },
  statement: string,
  values: unknown[] = [],
): Promise<{ release(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  await client.query('begin')
  await client.query(statement, values)
  return { release: () => client.end() }
}
