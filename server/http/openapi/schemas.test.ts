import { deepEqual, throws } from 'node:assert/strict'
import { describe, test } from 'node:test'
import Type from 'typebox'
import { Amount, Line, Metadata, Nullable, OneOf, Refused, Uuid } from '../../../contract/formats.ts'
import { createSchemaPrinter } from './schemas.ts'

const NAMED = Type.Object({ id: Uuid() }, { title: 'Named' })

describe('A schema of contract/ is printed', () => {
  test('as a component where it has a title, and referred to', () => {
    const printer = createSchemaPrinter()
    deepEqual(printer.print(Type.Array(NAMED)), { type: 'array', items: { $ref: '#/components/schemas/Named' } })
    deepEqual(printer.print(NAMED), { $ref: '#/components/schemas/Named' })
    deepEqual(printer.components, {
      Named: { type: 'object', required: ['id'], properties: { id: { type: 'string', format: 'uuid' } } },
    })
  })

  test('never under the title of another one', () => {
    const printer = createSchemaPrinter()
    printer.print(NAMED)
    throws(() => printer.print(Type.Object({}, { title: 'Named' })), /Two schemas are named Named/)
  })

  test('as the component or null, where it may be null', () => {
    deepEqual(createSchemaPrinter().print(Nullable(NAMED)), {
      anyOf: [{ $ref: '#/components/schemas/Named' }, { type: 'null' }],
    })
    deepEqual(createSchemaPrinter().print(Nullable(OneOf(['a', 'b']))), {
      type: ['string', 'null'],
      enum: ['a', 'b', null],
    })
  })

  test('without fields that are always refused; one with a default need not be sent', () => {
    const schema = Type.Object({ wrong: Refused('is not yours'), count: Type.Integer({ default: 1 }), name: Line(9) })
    deepEqual(createSchemaPrinter().print(schema), {
      type: 'object',
      required: ['name'],
      properties: {
        count: { type: 'integer', description: 'Default: 1.' },
        name: { type: 'string', minLength: 1, maxLength: 9, description: 'One line of text.' },
      },
    })
  })

  test('with our formats as keywords that every tool knows', () => {
    const { description } = createSchemaPrinter().print(Amount())
    deepEqual(description, 'In major units, with at most two decimals.')
    throws(
      () => createSchemaPrinter().print(Type.String({ format: 'strange' })),
      /No translation for the format strange/,
    )
  })

  test('with the values of a record, whatever the keys are', () => {
    const { patternProperties, additionalProperties } = createSchemaPrinter().print(Metadata())
    deepEqual(patternProperties, undefined)
    deepEqual(additionalProperties, {
      type: ['string', 'number', 'boolean'],
      maxLength: 500,
      description: 'Text; it may have several lines.',
    })
  })
})
