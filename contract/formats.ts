import Type, { type Static, type TSchema } from 'typebox'

// The building blocks of every schema. Formats are checked by server/http/schema-validator.ts, which knows their texts.

/** One line of text without control characters, up to `maxLength` characters. */
export const Line = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength, format: 'line' })

/** Text that may have line breaks and tabs. */
export const Paragraph = (maxLength: number) => Type.String({ maxLength, format: 'paragraph' })

/** A token, a secret, a password: compared as it came. Nobody reads it as text. */
export const Opaque = (maxLength: number, minLength = 1) => Type.String({ minLength, maxLength, format: 'opaque' })

/** Of an address; no country has longer ones. */
export const PostalCode = () => Line(10)

/** Major units with at most two decimals, as the OAuth family has them: `12.5` is twelve and a half. */
export const Amount = (minimum = 0) => Type.Number({ minimum, maximum: 999_999.99, format: 'amount' })

export const Uuid = () => Type.String({ format: 'uuid' })

export const Email = () => Type.String({ maxLength: 254, format: 'email' })

/** An absolute URL; which schemes and origins are good is for the rule that uses it. */
export const Url = () => Type.String({ maxLength: 2048, format: 'url' })

/** A moment in UTC, as responds of the OAuth family have it: `2026-09-30T12:00:00.000Z`. */
export const Moment = () => Type.String({ format: 'date-time' })

/** A day, `YYYY-MM-DD`. */
export const Day = () => Type.String({ format: 'date' })

/** IPv4 or IPv6. */
export const IpAddress = () => Type.String({ maxLength: 45, format: 'ip' })

/** 10 to 15 digits; people add a leading plus sign. */
export const Phone = () => Type.String({ format: 'phone' })

/** ISO 3166-1 alpha-2. */
export const Country = () => Type.String({ format: 'country' })

/** One of a list of words; reads better in errors and in OpenAPI than a union of literals. */
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

/** One schema and not a union: a union would tell of a wrong value that it is not a string, not a number and not a boolean. */
const MetadataValue = Type.Unsafe<string | number | boolean>({
  type: ['string', 'number', 'boolean'],
  maxLength: 500,
  format: 'paragraph',
})

/** Seconds since 1970: how the merchant API says when. */
export const EpochSeconds = (options: { description?: string } = {}) =>
  Type.Integer({ description: 'Seconds since 1970.', ...options })

/** Present, and maybe `null`. One schema and not a union, so that an error names the type that is missing. */
export const Nullable = <Schema extends TSchema>(schema: Schema) => {
  const { type = 'object', enum: words } = schema as { type?: string; enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    ...schema,
    type: [type, 'null'],
    ...(words && { enum: [...words, null] }),
  })
}

/** A field that people send and that is not theirs to say; the text tells them why. */
export const Refused = (description: string) => Type.Optional(Type.Unsafe<never>({ not: {}, description }))
