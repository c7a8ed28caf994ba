import { once } from '../../lib/once.ts'
import { PUBLIC_PATHS } from '../family.ts'
import { openApiDocument } from '../openapi/openapi-document.ts'
import { publicAccess, type Reply, type Route, route } from '../route.ts'
import { REFERENCE_PAGE_HEADERS, referencePage } from './reference-page.ts'
import { gzippedViewer } from './reference-viewer.ts'

const FOR_MINUTES = 'public, max-age=300'
const IMMUTABLE = 'public, max-age=31536000, immutable'

/**
 * Returns the routes of the API's documentation: `/openapi.json` for tools and `/docs` for people. The document and the
 * viewer are built once, on the first request.
 *
 * @param routes the documented routes
 * @param options.viewerVersion version of the viewer's package; it is part of the script's path, so caches may store
 * the script
 */
export function referenceRoutes(
  routes: Route[],
  { viewerVersion, ...options }: { baseUrl: string; version: string; viewerVersion: string },
): Route[] {
  const script = `/docs/viewer-${viewerVersion}.js`
  const document = once(() => JSON.stringify(openApiDocument(routes, options)))
  const viewer = once(gzippedViewer)
  return [
    page('/openapi.json', async () => ({
      headers: { 'content-type': 'application/json', 'cache-control': FOR_MINUTES },
      body: await document(),
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
  route({ method: 'GET', path, family: PUBLIC_PATHS, access: publicAccess, browsers: 'anywhere', handle })
