import Type, { type Static, type TSchema } from 'typebox'

// The building blocks of every schema. server/http/schema-validator.ts checks the formats and defines their messages.

/** One line of text without control characters, up to `maxLength` characters. */
export const Line = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength, format: 'line' })

/** Matches text with at least one character other than spaces. */
export const FILLED = '\\S'

/** One line that does not consist of spaces only. */
export const Name = (maxLength: number) => Type.String({ minLength: 1, maxLength, format: 'line', pattern: FILLED })

/** Text that may have line breaks and tabs. */
export const Paragraph = (maxLength: number) => Type.String({ maxLength, format: 'paragraph' })

/** A token, a secret or a password: compared as sent, never shown as text. */
export const Opaque = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength, format: 'opaque' })

/**
 * Google Pay token exactly as the wallet created it. A token that is too long is refused like any other invalid one.
 */
export const GooglePayToken = () =>
  Type.String({ format: 'opaque', description: 'JSON in a text, at most 8 KB, as Google Pay gives it.' })

/** Postal code; no country has longer ones. */
export const PostalCode = () => Line(10)

/** Amount in major units with at most two decimals, as in the checkout API: `12.5` is twelve and a half. */
export const Amount = (minimum = 0) => Type.Number({ minimum, maximum: 999_999.99, format: 'amount' })

export const Uuid = () => Type.String({ format: 'uuid' })

export const Email = () => Type.String({ maxLength: 254, format: 'email' })

/** An absolute URL; schemes and origins are checked by the rules that use it. */
export const Url = () => Type.String({ maxLength: 2048, format: 'url' })

/** A time in UTC, as in responses of the checkout API: `2026-09-30T12:00:00.000Z`. */
export const Moment = () => Type.String({ format: 'date-time' })

/** A day, `YYYY-MM-DD`. */
export const Day = () => Type.String({ format: 'date' })

/** IPv4 or IPv6 address. */
export const IpAddress = () => Type.String({ maxLength: 45, format: 'ip' })

/** Phone number: 10 to 15 digits, with an optional leading plus sign. */
export const Phone = () => Type.String({ format: 'phone' })

/** ISO 3166-1 alpha-2 code of a country. */
export const Country = () => Type.String({ format: 'country' })

/** One of a list of words. Gives clearer errors and a clearer OpenAPI document than a union of literals. */
export const OneOf = <const Words extends readonly string[]>(words: Words) =>
  Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] })

export const Currency = () => OneOf(['USD', 'CAD'])

/**
 * Up to 50 keys of 40 characters; values are strings up to 500 characters, numbers or booleans, stored as sent
 * (CHK-13).
 */
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

/**
 * A field that is present, possibly `null`. One schema instead of a union, so that an error names the expected type.
 */
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
