import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify from 'fastify'

const PREFIX = '/viewer'

/**
 * The script of the reference page. Its package has it only inside a plugin that serves it, so a server that listens nowhere
 * is asked for it.
 *
 * @returns it compressed: it has 4 MB else, and every browser that can run it reads gzip
 */
export async function gzippedViewer(): Promise<Buffer> {
  // Loaded late: it costs every start a fifth of a second, and few of them are read from.
  const { default: viewer } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  try {
    await server.register(viewer, { routePrefix: PREFIX, configuration: { content: {} } })
    const { statusCode, rawPayload } = await server.inject(`${PREFIX}/js/scalar.js`)
    if (statusCode !== 200) throw new Error('The package of the viewer does not serve its script where it did')
    return await promisify(gzip)(rawPayload)
  } finally {
    await server.close()
  }
}
