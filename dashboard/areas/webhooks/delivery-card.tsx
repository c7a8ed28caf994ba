import type { DeliveryOfEvent } from '../../../contract/dashboard/webhooks-api.ts'
import { useDeliveryError } from '../../kit/delivery-texts/delivery-texts.ts'
import { AppLink } from '../../kit/links.tsx'
import { ScrollingText } from '../../kit/scrolling.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant, useInstantText } from '../../kit/time.tsx'
import { WEBHOOK_TEXTS } from './texts/texts.ts'
import { DeliveryStatus } from './webhook-status.tsx'

type Attempt = DeliveryOfEvent['attempts'][number]

interface DeliveryCardProps {
  delivery: DeliveryOfEvent
  /** Body of every attempt, as it was sent. */
  body: string
}

/** A delivery of an event to one endpoint, with its attempts. */
export function DeliveryCard({ delivery, body }: DeliveryCardProps) {
  const t = useTexts(WEBHOOK_TEXTS)
  const { view, webhook_endpoint: endpoint, status, next_attempt_at: next, attempts } = delivery
  return (
    <section className="stack" aria-label={view.url}>
      <h3>{view.status === 'deleted' ? view.url : <AppLink to={`webhooks/${endpoint}`}>{view.url}</AppLink>}</h3>
      <p>
        <DeliveryStatus status={status} />
        {next !== null && (
          <>
            {' · '}
            {t.next} <Instant at={next} seconds />
          </>
        )}
      </p>
      {attempts.map((attempt, index) => (
        <AttemptDetails key={attempt.number} attempt={attempt} body={body} isOpen={index === 0} />
      ))}
    </section>
  )
}

function AttemptDetails({ attempt, body, isOpen }: { attempt: Attempt; body: string; isOpen: boolean }) {
  const t = useTexts(WEBHOOK_TEXTS)
  const text = useInstantText()
  const { number, attempted_at: at, duration_ms: ms, response_status: code } = attempt
  const request = `POST ${attempt.url}\n${linesOf(attempt.request_headers)}`
  return (
    <details open={isOpen} className="attempt">
      <summary>
        {fill(t.attempt, { number })} · {code ?? '–'} · {fill(t.attemptOf, { time: text(at), ms })}
      </summary>
      <h4>{t.request}</h4>
      <Lines text={request} />
      <h4>{t.requestBody}</h4>
      <Lines text={body} />
      {attempt.response_headers !== null && (
        <>
          <h4>{t.responseHeaders}</h4>
          <Lines text={linesOf(attempt.response_headers)} />
        </>
      )}
      <h4>{t.responseBody}</h4>
      <ResponseText attempt={attempt} />
    </details>
  )
}

const linesOf = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

function ResponseText({ attempt: { response_status: code, response_body: body, error } }: { attempt: Attempt }) {
  const t = useTexts(WEBHOOK_TEXTS)
  const errorText = useDeliveryError()
  if (code === null) return <p>{fill(t.noResponse, { error: error === null ? '–' : errorText(error) })}</p>
  if (!body) return <p>{t.emptyResponse}</p>
  return <Lines text={body} />
}

/** Text from the endpoint, rendered as plain text. */
function Lines({ text }: { text: string }) {
  return <ScrollingText className="lines">{text}</ScrollingText>
}
