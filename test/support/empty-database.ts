import pg from 'pg'
import { newId } from '../../server/lib/ids.ts'
import { openPool } from './pool.ts'

/**
 * Creates a database without tables, for tests of migrations. Dropping the tables of a migrated one takes as long as
 * making them. The name begins as those of `createTestDatabase`, so that the run can find and drop it.
 */
export async function openEmptyDatabase() {
  const { RIALTO_TEST_DATABASE_URL: server, RIALTO_TEST_TEMPLATE: template } = process.env
  if (!server || !template) throw new Error('This test needs a database. Run it by: npm test -- <file>')
  const name = `${template}_${newId().slice(-12)}`
  const onServer = async (statement: string) => {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    await client.query(statement).finally(() => client.end())
  }
  await onServer(`create database ${name} template template0 strategy file_copy`)
  const url = new URL(server)
  url.pathname = name
  const pool = openPool(url.href, 2)
  return {
    url: url.href,
    pool,
    tables: async () =>
      (await pool.query(`select tablename from pg_tables where schemaname = 'public' order by 1`)).rows.map(
        ({ tablename }) => tablename as string,
      ),
    async [Symbol.asyncDispose]() {
      await pool.end()
      await onServer(`drop database if exists ${name} with (force)`)
    },
  }
}
