import { pino } from 'pino'
import { createApp } from '../server/app/app.ts'
import { readConfig } from '../server/config.ts'

/** A port that nothing listens on: whoever asks a database here is told so. */
const NO_DATABASE = 'postgres://nobody@127.0.0.1:9/none'

/**
 * The OpenAPI document, indented.
 *
 * @param env `BASE_URL` and the rest of the configuration
 */
export async function printOpenApi(env: Record<string, string | undefined>): Promise<string> {
  const app = createApp({
    config: readConfig(env),
    databaseUrl: NO_DATABASE,
    masterKeys: [Buffer.alloc(32)],
    gateways: {},
    library: { current: [], released: [] },
    page: { render: () => '', headers: () => ({}), assets: { file: '', integrity: '', code: Buffer.from('') } },
    log: pino({ level: 'silent' }),
  })
  try {
    const response = await app.api.inject({ method: 'GET', url: '/openapi.json' })
    if (response.statusCode !== 200) throw new Error(`The document was not printed: ${response.body}`)
    return `${JSON.stringify(response.json(), null, 2)}\n`
  } finally {
    await app.close()
  }
}
