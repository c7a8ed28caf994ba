import { Ajv, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'

export interface ResponseSchema<Message> {
  matches(response: unknown): response is Message
}

/**
 * Compiles a schema when it is first used. Ajv is loaded for requests anyway; the compiler of TypeBox would take 2 MB
 * more.
 */
export function responseSchema<Schema extends TSchema>(schema: Schema): ResponseSchema<Static<Schema>> {
  let validate: ValidateFunction<Static<Schema>> | undefined
  return {
    matches(response: unknown): response is Static<Schema> {
      validate ??= new Ajv().compile<Static<Schema>>(schema)
      return validate(response)
    },
  }
}
