import type { TSchema } from 'typebox'

/** A schema as OpenAPI 3.1 has it: JSON Schema 2020-12, with `$ref` for what has a name. */
export type PrintedSchema = Record<string, unknown>

export interface SchemaPrinter {
  print(schema: TSchema): PrintedSchema
  /** What was printed under a name so far. */
  components: Record<string, PrintedSchema>
}

/** The formats of contract/formats.ts in words that every tool knows; where there is none, people are told. */
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
}
const EVERY_KEY = '^.*$'

/**
 * Prints schemas of contract/. One with a `title` becomes a component of that name, and is referred to wherever it stands.
 *
 * @throws when two different schemas have one title, or a format has no translation: defects of ours, found by a test
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
 * Without fields that are there only to be refused. One with a default need not be sent; the default is told in words,
 * because generators of clients take the keyword for a promise that the field is there.
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
  const description = [field.description, `${JSON.stringify(given)} unless said.`].filter(Boolean).join(' ')
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
