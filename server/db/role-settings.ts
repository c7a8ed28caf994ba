import pg from 'pg'

// The settings that every connection of the service must have. They are set on the role in this database, not as
// start-up options of the connection: a pooler in transaction mode refuses or drops those.

/**
 * Settings with PostgreSQL's names and units (milliseconds). With these limits an overloaded database fails a request
 * in time.
 */
const ROLE_SETTINGS: Readonly<Record<string, string>> = {
  statement_timeout: '5000',
  lock_timeout: '2000',
  idle_in_transaction_session_timeout: '10000',
  TimeZone: 'UTC',
  plan_cache_mode: 'force_generic_plan',
}

export type Queryable = Pick<pg.ClientBase, 'query'>

const SAVED = `select coalesce(array_agg(entry), '{}') as entries
  from pg_db_role_setting, unnest(setconfig) as entry
  where setrole = current_user::regrole
    and setdatabase = (select oid from pg_database where datname = current_database())`

/** Sets the missing settings, for connections that are opened from now on. */
export async function saveRoleSettings(client: Queryable, database?: string): Promise<void> {
  const entries = database === undefined ? await savedEntries(client) : []
  const missing = Object.entries(ROLE_SETTINGS).filter(([setting, value]) => !entries.includes(`${setting}=${value}`))
  if (missing.length === 0) return
  const name = pg.escapeIdentifier(database ?? (await currentDatabase(client)))
  const statements = missing.map(
    ([setting, value]) => `alter role current_user in database ${name} set ${setting} = ${pg.escapeLiteral(value)}`,
  )
  await client.query(statements.join(';'))
}

async function currentDatabase(client: Queryable): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  return rows[0]?.name ?? ''
}

async function savedEntries(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ entries: string[] }>(SAVED)
  return rows[0]?.entries ?? []
}

/**
 * Checks the settings of a connection. A connection without them was opened before they were set on the role; it is
 * terminated on the server, so that no pooler reuses it.
 *
 * @returns the wrong settings, such as `lock_timeout is 0, not 2000`; empty when all are right
 */
export async function endUnlessSet(client: Queryable): Promise<string[]> {
  // In one transaction, so that a pooler runs both statements on the same connection.
  await client.query('begin')
  const wrong = await wrongSettings(client)
  if (wrong.length === 0) await client.query('commit')
  // The statement ends with a lost connection. The connection must not be free again before the signal has arrived.
  else await client.query('select pg_terminate_backend(pg_backend_pid()); select pg_sleep(4)').catch(() => {})
  return wrong
}

export async function wrongSettings(client: Queryable): Promise<string[]> {
  const names = Object.keys(ROLE_SETTINGS)
  const { rows } = await client.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [names],
  )
  const actual = new Map(rows.map(({ name, setting }) => [name, setting]))
  return names
    .filter((name) => actual.get(name) !== ROLE_SETTINGS[name])
    .map((name) => `${name} is ${actual.get(name) ?? 'not set'}, not ${ROLE_SETTINGS[name]}`)
}
