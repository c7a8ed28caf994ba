import Type, { type Static } from 'typebox'
import { type ResponseSchema, responseSchema } from '../../../lib/response-schema.ts'
import type { ThreeDsServerFailure } from '../../three-ds-server.ts'

/** Response as JSON, or why there is none. */
export type Reply = { status: number; message: unknown } | { problem: string; status?: number }

const KEY_REFUSED = 'HTTP 401: the server does not know THREE_DS_SERVER_KEY'

const COMPONENTS = ['S', 'D', 'A'] as const
/** Component; the protocol also knows the payer's device, which the port does not. */
type Component = (typeof COMPONENTS)[number] | 'C'

const Erro = Type.Object({
  messageType: Type.Literal('Erro'),
  errorCode: Type.String({ pattern: '^\\d{3}$' }),
  errorComponent: Type.Optional(Type.Unsafe<Component>({ type: 'string', enum: [...COMPONENTS, 'C'] })),
  errorDescription: Type.Optional(Type.String()),
  errorDetail: Type.Optional(Type.String()),
})
type Erro = Static<typeof Erro>
const erroSchema = responseSchema(Erro)

/** Returns the protocol's error message in a response of any HTTP status. */
export function erroIn(reply: Reply): Erro | null {
  return 'message' in reply && erroSchema.matches(reply.message) ? reply.message : null
}

/** Returns the message of a response with HTTP 200; `null` if it does not match the schema. */
export function messageIn<Message>(reply: Reply, schema: ResponseSchema<Message>): Message | null {
  return 'message' in reply && reply.status === 200 && schema.matches(reply.message) ? reply.message : null
}

export function failed(message: string): ThreeDsServerFailure {
  return { outcome: 'failed', errorCode: null, component: null, message }
}

/**
 * Classifies an unusable response. An error's text may quote what was sent, so only names of `fields` are taken from
 * it.
 */
export function failureOf(reply: Reply, fields: readonly string[] = []): ThreeDsServerFailure {
  if (reply.status === 401) return { ...failed(KEY_REFUSED), isMisconfigured: true }
  if ('problem' in reply) return failed(reply.problem)
  const erro = erroIn(reply)
  if (!erro) return failed(reply.status === 200 ? 'the response is invalid' : `HTTP ${reply.status}`)
  const { errorCode, errorComponent, errorDetail = '' } = erro
  const component = COMPONENTS.find((one) => one === errorComponent) ?? null
  const words = new Set(errorDetail.split(/\W+/))
  const about = fields.filter((field) => words.has(field))
  const message = `Erro ${errorCode} from ${errorComponent ?? 'an unknown component'}${about.length > 0 ? ` about ${about.join(', ')}` : ''}`
  return { outcome: 'failed', errorCode, component, message }
}
