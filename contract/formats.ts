import Type, { type Static, type TSchema } from 'typebox'

// The building blocks of every schema. server/http/schema-validator.ts checks the formats and has their messages.

/** One line of text without control characters, up to `maxLength` characters. */
export const Line = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength, format: 'line' })

/** At least one character other than spaces. */
export const FILLED = '\\S'

/** One line that is more than spaces. */
export const Name = (maxLength: number) => Type.String({ minLength: 1, maxLength, format: 'line', pattern: FILLED })

/** Text that may have line breaks and tabs. */
export const Paragraph = (maxLength: number) => Type.String({ maxLength, format: 'paragraph' })

/** A token, a secret or a password: compared as sent, never shown as text. */
export const Opaque = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength, format: 'opaque' })

/** As the wallet made it. A longer one is refused like any other that is not valid. */
export const GooglePayToken = () =>
  Type.String({ format: 'opaque', description: 'JSON in a text, at most 8 KB, as Google Pay gives it.' })

/** No country has longer postal codes. */
export const PostalCode = () => Line(10)

/** Major units with at most two decimals, as in the checkout API: `12.5` is twelve and a half. */
export const Amount = (minimum = 0) => Type.Number({ minimum, maximum: 999_999.99, format: 'amount' })

export const Uuid = () => Type.String({ format: 'uuid' })

export const Email = () => Type.String({ maxLength: 254, format: 'email' })

/** An absolute URL; schemes and origins are checked by the rules that use it. */
export const Url = () => Type.String({ maxLength: 2048, format: 'url' })

/** A time in UTC, as in responses of the checkout API: `2026-09-30T12:00:00.000Z`. */
export const Moment = () => Type.String({ format: 'date-time' })

/** A day, `YYYY-MM-DD`. */
export const Day = () => Type.String({ format: 'date' })

/** IPv4 or IPv6. */
export const IpAddress = () => Type.String({ maxLength: 45, format: 'ip' })

/** 10 to 15 digits, with an optional leading plus sign. */
export const Phone = () => Type.String({ format: 'phone' })

/** ISO 3166-1 alpha-2. */
export const Country = () => Type.String({ format: 'country' })

/** One of a list of words. Gives clearer errors and OpenAPI than a union of literals. */
export const OneOf = <const Words extends readonly string[]>(words: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] })

export const Currency = () => OneOf(['USD', 'CAD'])

/** Up to 50 keys of 40 characters; strings to 500, numbers or booleans, kept as sent (CHK-13). */
export const Metadata = () =>
  Type.Record(Type.String(), MetadataValue, {
    maxProperties: 50,
    propertyNames: { minLength: 1, maxLength: 40, format: 'line' },
  })

export type Metadata = Record<string, string | number | boolean>

/** One schema instead of a union, which would report three violations for one wrong value. */
const MetadataValue = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  maxLength: 500,
  format: 'paragraph',
})

/** The time format of the merchant API: seconds since 1970. */
export const EpochSeconds = (options: { description?: string } = {}) =>
  Type.Integer({ description: 'Seconds since 1970.', ...options })

/** Present, possibly `null`. One schema instead of a union, so that an error names the expected type. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => {
  const { type = 'object', enum: words } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [type, 'null'],
    ...(words && { enum: [...words, null] }),
  })
}

/** A field that must not be sent; the description is the message that explains why. */
export const Refused = (description: string) => Type.Optional(Type.Unsafe<never>({ not: {}, description }))
