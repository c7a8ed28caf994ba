import type { Route } from '../route.ts'
import type { ResponsePrinter } from './error-responses.ts'
import { ABOUT, GROUPS, SECURITY_SCHEMES } from './front-matter.ts'
import { HEADER_COMPONENTS } from './headers.ts'
import { type DocumentedRoute, isDocumented, operationOf } from './operation.ts'
import { createSchemaPrinter } from './schemas.ts'
import { WEBHOOK_GROUP, webhooksOf } from './webhooks.ts'

export interface OpenApiDocument {
  openapi: string
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, object>>
  webhooks: Record<string, object>
  components: Record<'securitySchemes' | 'headers' | 'responses' | 'schemas', Record<string, object>>
}

/**
 * Prints the routes that have a `document` as OpenAPI 3.1, from the schemas that also check requests.
 *
 * @throws when the documents of routes contradict each other, which is a defect that test/spec/openapi.test.ts finds
 */
export function openApiDocument(
  routes: Route[],
  { baseUrl, version }: { baseUrl: string; version: string },
): OpenApiDocument {
  const schemas = createSchemaPrinter()
  const printer: ResponsePrinter = { schemas, components: {} }
  const documented = routes.filter(isDocumented)
  const paths: OpenApiDocument['paths'] = {}
  for (const route of documented) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(printer, route) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Rialto API', version, ...ABOUT },
    servers: [{ url: baseUrl }],
    tags: tagsOf(documented),
    paths,
    webhooks: webhooksOf(
      schemas,
      documented.map(({ document }) => document),
    ),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: HEADER_COMPONENTS,
      responses: printer.components,
      schemas: schemas.components,
    },
  }
}

/** Returns the tags in the order of GROUPS; a group that is not there comes last. */
function tagsOf(routes: DocumentedRoute[]): OpenApiDocument['tags'] {
  const used = new Set([...routes.map(({ document }) => document.group), WEBHOOK_GROUP])
  const unknown = [...used].filter((name) => !(name in GROUPS))
  return [
    ...Object.entries(GROUPS)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    ...unknown.map((name) => ({ name })),
  ]
}
