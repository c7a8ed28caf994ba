import type { Route, RouteDocument } from '../route.ts'
import { errorResponses, type ResponsePrinter } from './error-responses.ts'
import { headersOf } from './headers.ts'
import { parametersOf } from './parameters.ts'
import type { SchemaPrinter } from './schemas.ts'

export type DocumentedRoute = Route & { document: RouteDocument }

export const isDocumented = (route: Route): route is DocumentedRoute => route.document !== undefined

/**
 * Requirements by the names of `components/securitySchemes`. `{}` makes the header optional, because the credentials
 * may be in the body.
 */
const SECURITY: Record<Route['access']['name'], object[]> = {
  public: [],
  bearer: [{ accessToken: [] }],
  'secret key': [{ secretKey: [] }],
  'client credentials': [{}, { clientCredentials: [] }],
  // No document contains these paths.
  session: [],
}

/** Returns one operation of the document. */
export function operationOf(printer: ResponsePrinter, route: DocumentedRoute): object {
  const { document } = route
  const parameters = parametersOf(printer.schemas, route)
  return {
    operationId: document.name,
    tags: [document.group],
    summary: document.summary,
    ...describedWithScope(route),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(printer.schemas, route),
    responses: { ...successResponses(printer.schemas, route), ...errorResponses(printer, route) },
  }
}

/** Adds the scope to the description, because generated clients drop the requirement. */
function describedWithScope({ document: { description }, scope = null }: DocumentedRoute): { description?: string } {
  const texts = [description, scope && `Scope: \`${scope}\`.`].filter((text) => text != null)
  return texts.length > 0 ? { description: texts.join('\n\n') } : {}
}

/** Returns the requirements. OpenAPI 3.1 lets every scheme name what the caller must be allowed to do. */
function securityOf({ access, scope = null }: DocumentedRoute): object[] {
  return SECURITY[access.name].map((requirement) =>
    Object.fromEntries(Object.keys(requirement).map((name) => [name, scope === null ? [] : [scope]])),
  )
}

function requestBody(printer: SchemaPrinter, { body, acceptsForm, document }: DocumentedRoute): object {
  const schema = document.body ?? body
  if (!schema) return {}
  const content = {
    schema: printer.print(schema),
    ...(document.example !== undefined && { example: document.example }),
  }
  return {
    requestBody: {
      required: needsFields(schema),
      content: {
        'application/json': content,
        ...(acceptsForm && { 'application/x-www-form-urlencoded': { schema: content.schema } }),
      },
    },
  }
}

function needsFields(schema: { required?: string[]; anyOf?: unknown }): boolean {
  return schema.anyOf !== undefined || (schema.required ?? []).length > 0
}

function successResponses(printer: SchemaPrinter, { family, limits, document }: DocumentedRoute): object {
  const isLimited = (limits ?? []).length > 0
  return Object.fromEntries(
    Object.entries(document.responses).map(([status, { description, body, example }]) => [
      status,
      {
        description,
        headers: headersOf(family, { isLimited }),
        content: { 'application/json': { schema: printer.print(body), example } },
      },
    ]),
  )
}
