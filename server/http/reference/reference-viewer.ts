import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify from 'fastify'

const PREFIX = '/viewer'

/**
 * Returns the script of the reference page. Its package contains the script only inside a Fastify plugin, so it is
 * requested from a server that listens on no port.
 *
 * @returns the script, gzipped: uncompressed it has 4 MB, and every browser that can run it accepts gzip
 */
export async function gzippedViewer(): Promise<Buffer> {
  // Imported on demand: the import takes 0.2 s, and few processes serve the reference.
  const { default: viewer } = await import('@scalar/fastify-api-reference')
  const server = Fastify()
  try {
    await server.register(viewer, { routePrefix: PREFIX, configuration: { content: {} } })
    const { statusCode, rawPayload } = await server.inject(`${PREFIX}/js/scalar.js`)
    if (statusCode !== 200) throw new Error('The viewer package no longer serves its script at this path')
    return await promisify(gzip)(rawPayload)
  } finally {
    await server.close()
  }
}
