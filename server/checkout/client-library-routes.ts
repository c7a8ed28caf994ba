import { everybody, type Route, route } from '../http/route.ts'

/** One script of the client library, as it was built. */
export interface LibraryScript {
  /** `rialto-checkout` or `rapid`. */
  name: string
  version: string
  integrity: string
  code: Buffer
}

/** Every page may load it, without asking whose it is. */
const PUBLIC = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
}
const FLOATING = 'public, max-age=300, stale-while-revalidate=86400'
const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * The scripts that merchants include: floating within the version, and under the version's own path for ever, with the hash
 * that `integrity` wants. They are in memory: no path of a request reaches the disk.
 *
 * @see spec «Client library», payment-page.md 2.5
 */
export function clientLibraryRoutes(scripts: LibraryScript[]): Route[] {
  const file = (path: string, type: string, cache: string, body: Buffer | string) =>
    route({
      method: 'GET',
      path,
      access: everybody,
      browsers: 'anywhere',
      handle: () => ({ headers: { ...PUBLIC, 'content-type': type, 'cache-control': cache }, body }),
    })
  const script = 'text/javascript; charset=utf-8'
  const versions = new Set(scripts.map(({ version }) => version))
  return [
    ...scripts.flatMap(({ name, version, code }) => [
      file(`/js/${name}.js`, script, FLOATING, code),
      file(`/js/${version}/${name}.js`, script, IMMUTABLE, code),
    ]),
    ...[...versions].map((version) => {
      const released = scripts.filter((one) => one.version === version)
      const hashes = Object.fromEntries(released.map(({ name, integrity }) => [`${name}.js`, integrity]))
      return file(`/js/${version}/integrity.json`, 'application/json', IMMUTABLE, JSON.stringify(hashes))
    }),
  ]
}
