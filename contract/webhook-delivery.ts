import Type, { type Static } from 'typebox'
import { EpochSeconds, Nullable, OneOf, Uuid } from './formats.ts'
import { ListOf } from './list.ts'

export const WEBHOOK_DELIVERY_STATUSES = ['pending', 'succeeded', 'failed', 'canceled'] as const

/** How many attempts of a delivery are shown, newest first. */
export const ATTEMPTS_SHOWN = 20

/**
 * Maximum number of redeliveries and tests of an endpoint in an hour of real time (EVT-143). A busy shop records about
 * 10,000 events in a day, so that one day is redelivered at once, and the retention of 30 days within a day or so.
 */
export const REDELIVERIES_PER_HOUR = 10_000

const WebhookAttempt = Type.Object(
  {
    number: Type.Integer({ description: 'Counts the attempts of this delivery from 1, also over redeliveries.' }),
    attempted_at: EpochSeconds(),
    url: Type.String({ description: 'The URL of the endpoint at that time.' }),
    request_headers: Type.Record(Type.String(), Type.String(), {
      description:
        'As sent, without `authorization` and `webhook-signature`: that is computed for each attempt from `webhook-id`, ' +
        '`webhook-timestamp`, the body and the secret. The body was the event, as `GET /events/{id}` returns it.',
    }),
    response_status: Nullable(Type.Integer({ description: 'Null when no response came.' })),
    response_headers: Nullable(
      Type.Record(Type.String(), Type.String(), {
        description:
          'Headers of a failed attempt, by name in lower case: up to 1 KB in all, and 200 characters of each. For cookies, ' +
          'tokens and other secrets the value is `[hidden]`. Null when no response came.',
      }),
    ),
    response_body: Nullable(
      Type.String({ description: 'First 1,024 characters of the body of a failed attempt; empty for a success.' }),
    ),
    duration_ms: Type.Integer(),
    error: Nullable(Type.String({ description: 'Why there was no response, or why it was not read.' })),
  },
  { title: 'WebhookAttempt' },
)

export const WebhookDelivery = Type.Object(
  {
    object: Type.Literal('webhook_delivery'),
    event: Uuid(),
    webhook_endpoint: Uuid(),
    status: Type.Unsafe<(typeof WEBHOOK_DELIVERY_STATUSES)[number]>({
      ...OneOf(WEBHOOK_DELIVERY_STATUSES),
      description:
        '`failed`: its retries are used up. `canceled`: the endpoint was disabled or deleted while it waited. ' +
        'Both are sent again by a redelivery only.',
    }),
    next_attempt_at: Nullable(
      EpochSeconds({ description: 'When a pending delivery is attempted next, in seconds since 1970.' }),
    ),
    attempt_count: Type.Integer({ description: 'How many attempts were made.' }),
    attempts: Type.Array(WebhookAttempt, {
      maxItems: ATTEMPTS_SHOWN,
      description: `The newest ${ATTEMPTS_SHOWN}, newest first.`,
    }),
  },
  { title: 'WebhookDelivery' },
)
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const WebhookDeliveryList = ListOf(WebhookDelivery, 'WebhookDeliveryList')

export const EventRedelivery = Type.Object(
  {
    webhook_endpoint: Type.Optional(
      Type.Unsafe<string>({
        ...Uuid(),
        description:
          'Only to this endpoint, whatever it receives. By default to every enabled one that receives the type.',
      }),
    ),
  },
  { title: 'EventRedelivery' },
)

/** `missing`: not recorded for the endpoint, because it was disabled, did not receive the type, or did not exist. */
const REDELIVERED = ['failed', 'canceled', 'missing', 'succeeded'] as const
export type RedeliveredStatus = (typeof REDELIVERED)[number]
const REDELIVERED_BY_DEFAULT: RedeliveredStatus[] = ['failed', 'canceled', 'missing']

export const EndpointRedelivery = Type.Object(
  {
    since: Type.Integer({
      minimum: 0,
      description: 'Events recorded since then, in real time; seconds since 1970.',
    }),
    status: Type.Array(OneOf(REDELIVERED), {
      minItems: 1,
      maxItems: REDELIVERED.length,
      uniqueItems: true,
      default: REDELIVERED_BY_DEFAULT,
      description:
        'Which deliveries. `missing` are events of the types that the endpoint receives now, for which it has no ' +
        'delivery: they were recorded while it was disabled, before it existed, or before it received their type.',
    }),
    starting_after: Type.Optional(
      Type.Unsafe<string>({
        ...Uuid(),
        description: 'Continues after this event: `last_event` of the request before.',
      }),
    ),
  },
  { title: 'EndpointRedelivery' },
)
export type EndpointRedelivery = Static<typeof EndpointRedelivery>

export const Redelivery = Type.Object(
  {
    object: Type.Literal('redelivery'),
    deliveries: Type.Integer({ description: 'How many deliveries are due again.' }),
  },
  { title: 'Redelivery' },
)

export const EndpointRedeliveryResult = Type.Object(
  {
    object: Type.Literal('redelivery'),
    deliveries: Type.Integer({ description: 'How many deliveries are due again, by this request.' }),
    has_more: Type.Boolean({ description: 'Whether events remain that this request did not look at or redeliver.' }),
    last_event: Nullable(
      Type.Unsafe<string>({ ...Uuid(), description: 'The last event that it looked at, for `starting_after`.' }),
    ),
    remaining: Type.Integer({
      description: `How many redeliveries and tests the endpoint may still have of its ${REDELIVERIES_PER_HOUR} in an hour.`,
    }),
    retry_after: Nullable(
      Type.Integer({ description: 'Seconds until another one is possible; null while `remaining` is not 0.' }),
    ),
  },
  { title: 'EndpointRedeliveryResult' },
)
export type EndpointRedeliveryResult = Static<typeof EndpointRedeliveryResult>
