import { pino } from 'pino'
import { createApp } from '../server/app/app.ts'
import { readConfig } from '../server/config.ts'

const NO_SCRIPT = { file: '', integrity: '', code: Buffer.from('') }

/** Nothing listens on this port, so any use of the database fails. */
const NO_DATABASE = 'postgres://nobody@127.0.0.1:9/none'

/**
 * Returns the OpenAPI document as indented JSON.
 *
 * @param env the configuration, such as `BASE_URL`
 */
export async function printOpenApi(env: Record<string, string | undefined>): Promise<string> {
  const app = createApp({
    config: readConfig(env),
    databaseUrl: NO_DATABASE,
    masterKeys: [Buffer.alloc(32)],
    gateways: {},
    library: { current: [], released: [] },
    page: { render: () => '', headers: () => ({}), assets: { ...NO_SCRIPT, wallet: NO_SCRIPT } },
    log: pino({ level: 'silent' }),
  })
  try {
    const response = await app.api.inject({ method: 'GET', url: '/openapi.json' })
    if (response.statusCode !== 200) throw new Error(`The OpenAPI document could not be read: ${response.body}`)
    return `${JSON.stringify(response.json(), null, 2)}\n`
  } finally {
    await app.close()
  }
}
