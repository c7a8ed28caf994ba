import type { TSchema } from 'typebox'

/** A schema of OpenAPI 3.1: JSON Schema 2020-12, with `$ref` to named schemas. */
export type PrintedSchema = Record<string, unknown>

export interface SchemaPrinter {
  print(schema: TSchema): PrintedSchema
  /** The named schemas printed so far. */
  components: Record<string, PrintedSchema>
}

/** The formats of contract/formats.ts as keywords that tools know, or as a description for people. */
const FORMATS: Record<string, PrintedSchema> = {
  line: { description: 'One line of text.' },
  paragraph: { description: 'Text; it may have several lines.' },
  amount: { description: 'In major units, with at most two decimals.' },
  ip: { description: 'An IPv4 or IPv6 address.' },
  'card-number': { description: 'The card number.' },
  opaque: {},
  email: { format: 'email' },
  url: { description: 'An absolute URL.' },
  uuid: { format: 'uuid' },
  date: { format: 'date' },
  'date-time': { format: 'date-time' },
  phone: { pattern: '^\\+?[0-9]{10,15}$' },
  country: { pattern: '^[A-Z]{2}$' },
  bin: { pattern: '^[0-9]{6,8}$' },
  digits: { pattern: '^[0-9]+$' },
  minutes: { pattern: '^[+-]?[0-9]{1,4}$' },
  'ddd-session-id': { pattern: '^ddd_[0-9a-f-]{36}$' },
}
const EVERY_KEY = '^.*$'

/**
 * Prints schemas of contract/. A schema with a `title` becomes a component of that name and is referenced from then on.
 *
 * @throws when two different schemas have one title, or a format has no translation: defects that a test finds
 */
export function createSchemaPrinter(): SchemaPrinter {
  const components: Record<string, PrintedSchema> = {}
  const printer: SchemaPrinter = { components, print: (schema) => printNamed(printer, schema as PrintedSchema) }
  return printer
}

function printNamed(printer: SchemaPrinter, schema: PrintedSchema): PrintedSchema {
  const { title, type, ...rest } = schema
  if (typeof title !== 'string') return printBare(printer, schema)
  if (Array.isArray(type)) {
    const [only] = type.filter((name) => name !== 'null')
    return { anyOf: [printNamed(printer, { ...rest, title, type: only }), { type: 'null' }] }
  }
  const printed = printBare(printer, { ...rest, type })
  const known = printer.components[title]
  if (known && JSON.stringify(known) !== JSON.stringify(printed)) throw new Error(`Two schemas are named ${title}`)
  printer.components[title] = printed
  return { $ref: `#/components/schemas/${title}` }
}

function printBare(printer: SchemaPrinter, schema: PrintedSchema): PrintedSchema {
  const inside = (value: unknown) => printNamed(printer, value as PrintedSchema)
  const all = (values: unknown) => (values as unknown[]).map(inside)
  const printed: PrintedSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (value === undefined || keyword === 'required' || keyword === 'format') continue
    if (keyword === 'properties') Object.assign(printed, printProperties(schema, inside))
    else if (keyword === 'patternProperties') printed.additionalProperties = inside(valueForEveryKey(value))
    else if (keyword === 'items' || keyword === 'propertyNames') printed[keyword] = inside(value)
    else if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf') printed[keyword] = all(value)
    else printed[keyword] = value
  }
  return typeof schema.format === 'string' ? withFormat(printed, schema.format) : printed
}

/**
 * Leaves out fields that exist only to be refused. A field with a default is optional; the default is given in the
 * description, because client generators read the keyword as a promise that the field is present.
 */
function printProperties({ properties, required = [] }: PrintedSchema, inside: (value: unknown) => PrintedSchema) {
  const fields = Object.entries(properties as Record<string, PrintedSchema>).filter(([, field]) => !('not' in field))
  const needed = fields.filter(([name, field]) => (required as string[]).includes(name) && !('default' in field))
  return {
    ...(needed.length > 0 && { required: needed.map(([name]) => name) }),
    properties: Object.fromEntries(fields.map(([name, field]) => [name, inside(defaultInWords(field))])),
  }
}

function defaultInWords({ default: given, ...field }: PrintedSchema): PrintedSchema {
  if (given === undefined) return field
  const description = [field.description, `Default: ${JSON.stringify(given)}.`].filter(Boolean).join(' ')
  return { ...field, description }
}

function valueForEveryKey(patterns: unknown): unknown {
  const [[pattern, value] = [], ...more] = Object.entries(patterns as object)
  if (pattern !== EVERY_KEY || more.length > 0) throw new Error(`No translation for the pattern ${pattern}`)
  return value
}

function withFormat(printed: PrintedSchema, format: string): PrintedSchema {
  const translated = FORMATS[format]
  if (!translated) throw new Error(`No translation for the format ${format}`)
  const description = [printed.description, translated.description].filter(Boolean).join(' ')
  return { ...printed, ...translated, ...(description && { description }) }
}
