import Type, { type Static } from 'typebox'
import { EVENT_TYPES, type EventType } from './event.ts'
import { EpochSeconds, Nullable, OneOf, Paragraph, Url, Uuid } from './formats.ts'
import { ListOf, PageQuery } from './list.ts'

const DESCRIPTION_MAX = 500
/** Maximum number of endpoints of a business. */
export const WEBHOOK_ENDPOINTS_MAX = 10

const WEBHOOK_ENDPOINT_STATUSES = ['enabled', 'disabled'] as const

/**
 * Why an endpoint was disabled. `manual`: by the merchant; `gone`: it responded 410; `failing`: three days without a
 * success (EVT-9).
 */
export const WEBHOOK_DISABLED_REASONS = ['manual', 'gone', 'failing'] as const
export type WebhookDisabledReason = (typeof WEBHOOK_DISABLED_REASONS)[number]

/**
 * Selectable types. A ping is not selected: `POST /webhook_endpoints/{id}/test` sends it whatever an endpoint receives.
 */
const SELECTABLE_EVENTS: readonly ('*' | EventType)[] = ['*', ...EVENT_TYPES.filter((type) => type !== 'ping')]

const EnabledEvents = () =>
  Type.Array(OneOf(SELECTABLE_EVENTS), {
    minItems: 1,
    maxItems: SELECTABLE_EVENTS.length,
    uniqueItems: true,
    description: 'Types of events, or `*` for all, also those that a later version adds.',
  })

const Ordered = {
  description:
    'Whether an event waits until the earlier events of its object are delivered, or have used up their retries.',
}

const TargetUrl = () =>
  Type.Unsafe<string>({
    ...Url(),
    description:
      'A user name and a password, as in `https://user:password@shop.example/webhooks`, are sent to the receiver by ' +
      'HTTP basic authentication. They are stored sealed and shown nowhere.',
  })

export const WebhookEndpointCreate = Type.Object(
  {
    url: TargetUrl(),
    description: Type.Optional(Nullable(Paragraph(DESCRIPTION_MAX))),
    enabled_events: EnabledEvents(),
    ordered: Type.Boolean({ ...Ordered, default: false }),
  },
  { title: 'WebhookEndpointCreate' },
)
export type WebhookEndpointCreate = Static<typeof WebhookEndpointCreate>

/** Absent fields stay as they are. */
export const WebhookEndpointUpdate = Type.Object(
  {
    url: Type.Optional(TargetUrl()),
    basic_auth: Type.Optional(
      Type.Boolean({
        description:
          '`false` removes user name and password. A `url` without them keeps those of the same origin, and removes ' +
          'those of another one.',
      }),
    ),
    description: Type.Optional(Nullable(Paragraph(DESCRIPTION_MAX))),
    enabled_events: Type.Optional(EnabledEvents()),
    ordered: Type.Optional(Type.Boolean(Ordered)),
    status: Type.Optional(OneOf(WEBHOOK_ENDPOINT_STATUSES)),
  },
  { title: 'WebhookEndpointUpdate' },
)
export type WebhookEndpointUpdate = Static<typeof WebhookEndpointUpdate>

const WEBHOOK_ENDPOINT = {
  id: Uuid(),
  object: Type.Literal('webhook_endpoint'),
  url: Type.String({ description: 'Without user name and password.' }),
  basic_auth: Type.Boolean({
    description: 'Whether a user name and a password are sent to it by HTTP basic authentication.',
  }),
  description: Nullable(Type.String()),
  enabled_events: Type.Array(Type.String()),
  ordered: Type.Boolean(Ordered),
  status: OneOf(WEBHOOK_ENDPOINT_STATUSES),
  disabled_reason: Nullable(OneOf(WEBHOOK_DISABLED_REASONS)),
  failing_since: Nullable(
    EpochSeconds({ description: 'The first failure since the last success, in seconds since 1970.' }),
  ),
  created: EpochSeconds(),
}

export const WebhookEndpoint = Type.Object(WEBHOOK_ENDPOINT, { title: 'WebhookEndpoint' })
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

/** An endpoint with its secret, which only creation and rotation show. */
export const WebhookEndpointWithSecret = Type.Object(
  {
    ...WEBHOOK_ENDPOINT,
    secret: Type.String({ description: '`whsec_` and base64 of 32 bytes. It is not shown again.' }),
  },
  { title: 'WebhookEndpointWithSecret' },
)
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>

export const WebhookEndpointListQuery = PageQuery
export const WebhookEndpointList = ListOf(WebhookEndpoint, 'WebhookEndpointList')

/** A deleted object, by its id. */
export const DeletedWebhookEndpoint = Type.Object(
  { id: Uuid(), object: Type.Literal('webhook_endpoint'), deleted: Type.Literal(true) },
  { title: 'DeletedWebhookEndpoint' },
)
