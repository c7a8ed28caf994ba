import { resolve } from 'node:path'
import type { Config } from '../config.ts'
import { connect, type Database } from '../db/connection.ts'
import { prepareDataDirectory } from '../db/data-directory.ts'
import { lockDataDirectory } from '../db/data-directory-lock.ts'
import { embeddedPostgresUrl, startEmbeddedPostgres } from '../db/embedded-postgres.ts'

/** Runs a command's work with the database of the running service, or starts one for its duration. */
export async function withDatabase<Result>(
  config: Config,
  work: (database: Database & { databaseUrl: string }) => Promise<Result>,
): Promise<Result> {
  const dataDir = resolve(config.dataDir)
  const url = config.databaseUrl ?? embeddedPostgresUrl(dataDir)
  const { preparedStatements } = config
  if (url !== null) return connected(url, preparedStatements, work)
  prepareDataDirectory(dataDir)
  const lock = lockDataDirectory(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    return await connected(postgres.url, preparedStatements, work)
  } finally {
    await postgres.stop()
    lock.release()
  }
}

async function connected<Result>(
  databaseUrl: string,
  preparedStatements: boolean,
  work: (database: Database & { databaseUrl: string }) => Promise<Result>,
): Promise<Result> {
  const database = connect({ url: databaseUrl, preparedStatements, max: 2 })
  try {
    return await work({ ...database, databaseUrl })
  } finally {
    await database.close()
  }
}
