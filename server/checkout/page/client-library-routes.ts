import { PUBLIC_PATHS } from '../../http/family.ts'
import { publicAccess, type Route, route } from '../../http/route.ts'

/** The client library as this service serves it. */
export interface ClientLibrary {
  /** As it is built now, with {@link ORIGIN_BLANK} for the origin of the form. */
  current: { name: LibraryName; code: string }[]
  /** Every version that was ever released: its files never change. */
  released: { version: string; files: Record<string, Buffer> }[]
}

export type LibraryName = 'rialto-checkout' | 'rapid'

/** What the source has where a service writes the origin of its payment form. */
export const ORIGIN_BLANK = '{{checkout_origin}}'

/** Every page may load it, without asking whose it is. */
const PUBLIC = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
}
const FLOATING = 'public, max-age=300, stale-while-revalidate=86400'
const IMMUTABLE = 'public, max-age=31536000, immutable'
const SCRIPT = 'text/javascript; charset=utf-8'

/**
 * The scripts that merchants include: the newest on floating paths, with the form's origin written in; each released version
 * on its own path, byte for byte the same on every service, so that an `integrity` attribute holds for ever. They are in
 * memory: no path of a request reaches the disk.
 */
export function clientLibraryRoutes({ current, released }: ClientLibrary, checkoutOrigin: string): Route[] {
  return [
    ...current.map(({ name, code }) => file(`/js/${name}.js`, FLOATING, code.replaceAll(ORIGIN_BLANK, checkoutOrigin))),
    ...released.flatMap(({ version, files }) =>
      Object.entries(files).map(([name, content]) => file(`/js/${version}/${name}`, IMMUTABLE, content)),
    ),
  ]
}

function file(path: string, cache: string, body: Buffer | string): Route {
  const type = path.endsWith('.json') ? 'application/json' : SCRIPT
  return route({
    method: 'GET',
    path,
    family: PUBLIC_PATHS,
    access: publicAccess,
    browsers: 'anywhere',
    handle: () => ({ headers: { ...PUBLIC, 'content-type': type, 'cache-control': cache }, body }),
  })
}
