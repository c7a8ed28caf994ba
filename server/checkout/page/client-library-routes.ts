import { PUBLIC_PATHS } from '../../http/family.ts'
import { publicAccess, type Route, route } from '../../http/route.ts'

/** The built files of the client library. */
export interface ClientLibrary {
  /** The current build, with {@link ORIGIN_BLANK} in place of the form's origin. */
  current: { name: LibraryName; code: string }[]
  /** All released versions. Their files never change. */
  released: { version: string; files: Record<string, Buffer> }[]
}

export type LibraryName = 'rialto-checkout' | 'rapid'

/** The placeholder that a service replaces with the origin of its payment form. */
export const ORIGIN_BLANK = '{{checkout_origin}}'

/** Headers that let any page load the scripts. */
const PUBLIC = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
}
const FLOATING = 'public, max-age=300, stale-while-revalidate=86400'
const IMMUTABLE = 'public, max-age=31536000, immutable'
const SCRIPT = 'text/javascript; charset=utf-8'

/**
 * Serves the scripts that merchants include. The current build is on unversioned paths, with the form's origin filled
 * in. Each released version is on its own path, byte for byte the same on every service, so that an `integrity`
 * attribute stays valid. The files are in memory, so no request path reaches the disk.
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
