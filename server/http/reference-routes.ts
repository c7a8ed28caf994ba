import { openApiDocument } from './openapi.ts'
import { REFERENCE_PAGE_HEADERS, referencePage } from './reference-page.ts'
import { gzippedViewer } from './reference-viewer.ts'
import { everybody, type Reply, type Route, route } from './route.ts'

const FOR_MINUTES = 'public, max-age=300'
const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * The documents of the API: `/openapi.json` for tools and `/docs` for people. Both are made at the first request, once.
 *
 * @param routes what is documented
 * @param options.viewerVersion of its package; the script's path names it, so the script may be kept for ever
 */
export function referenceRoutes(
  routes: Route[],
  { viewerVersion, ...options }: { baseUrl: string; version: string; viewerVersion: string },
): Route[] {
  const script = `/docs/viewer-${viewerVersion}.js`
  const document = once(() => JSON.stringify(openApiDocument(routes, options)))
  const viewer = once(gzippedViewer)
  return [
    page('/openapi.json', () => ({
      headers: { 'content-type': 'application/json', 'cache-control': FOR_MINUTES },
      body: document(),
    })),
    page('/docs', () => ({
      headers: { ...REFERENCE_PAGE_HEADERS, 'cache-control': FOR_MINUTES },
      body: referencePage(script),
    })),
    page(script, async () => ({
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'content-encoding': 'gzip',
        'cache-control': IMMUTABLE,
      },
      body: await viewer(),
    })),
  ]
}

const page = (path: string, handle: () => Promise<Reply> | Reply): Route =>
  route({ method: 'GET', path, access: everybody, browsers: 'anywhere', handle })

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
