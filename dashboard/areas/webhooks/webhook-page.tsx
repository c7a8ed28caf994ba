import { useState } from 'react'
import type { EndpointOfPage } from '../../../contract/dashboard/webhooks-api.ts'
import { Copy } from '../../kit/copy.tsx'
import { Card, Fields, JsonView } from '../../kit/detail.tsx'
import { usePathParam } from '../../kit/links.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { ScrollingText } from '../../kit/scrolling.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant, useInstantText } from '../../kit/time.tsx'
import { EndpointButtons, EndpointDialogs, type EndpointDoing } from './endpoint-actions.tsx'
import { EndpointDeliveries } from './endpoint-deliveries.tsx'
import { WEBHOOK_TEXTS } from './texts/texts.ts'
import { EndpointStatus, useSuccessText } from './webhook-status.tsx'

export default function WebhookPage() {
  const t = useTexts(WEBHOOK_TEXTS)
  const id = usePathParam('id')
  const read = useRead('GET /webhook_endpoints/{id}', { params: { id } })
  const endpoint = read.data
  const [doing, setDoing] = useState<EndpointDoing | null>(null)
  return (
    <Page
      title={endpoint ? new URL(endpoint.url).host : t.webhooks}
      badge={endpoint && <EndpointStatus endpoint={endpoint} />}
      breadcrumbs={[{ label: t.webhooks, to: 'webhooks' }]}
      actions={endpoint && <EndpointButtons endpoint={endpoint} act={setDoing} />}
    >
      {read.error && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {endpoint && (
        <>
          <Details endpoint={endpoint} />
          <EndpointDeliveries endpoint={endpoint} />
          <Verification />
          <EndpointJson endpoint={endpoint} />
          <EndpointDialogs endpoint={endpoint} doing={doing} onClose={() => setDoing(null)} />
        </>
      )}
    </Page>
  )
}

function Details({ endpoint }: { endpoint: EndpointOfPage }) {
  const t = useTexts(WEBHOOK_TEXTS)
  const text = useInstantText()
  const success = useSuccessText()
  const { view, enabled_events: types } = endpoint
  return (
    <Card title={t.details}>
      <Fields
        items={[
          [t.url, <code key="url">{endpoint.url}</code>],
          ...(endpoint.basic_auth ? [[t.auth, t.authKept] as [string, string]] : []),
          [t.description, endpoint.description],
          [t.events, types.includes('*') ? t.allEvents : types.join(', ')],
          [t.success, success(view)],
          [t.p95, view.p95_ms === null ? null : fill(t.ms, { ms: view.p95_ms })],
          [t.last, view.last_attempt_at === null ? t.never : <Instant key="last" at={view.last_attempt_at} />],
          ...(view.both_secrets_until === null
            ? []
            : [[t.secret, fill(t.bothUntil, { time: text(view.both_secrets_until) })] as [string, string]]),
        ]}
      />
    </Card>
  )
}

const SNIPPET = `import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET)
// The body as it came, before it is parsed.
const event = webhook.verify(body, headers)`

function Verification() {
  const t = useTexts(WEBHOOK_TEXTS)
  return (
    <Card title={t.verify} actions={<Copy text={SNIPPET} label={t.verify} />}>
      <p>{t.verifyText}</p>
      <ScrollingText>{SNIPPET}</ScrollingText>
    </Card>
  )
}

function EndpointJson({ endpoint }: { endpoint: EndpointOfPage }) {
  const { view: _view, version: _version, ...document } = endpoint
  return <JsonView path={`GET /api/v1/webhook_endpoints/${endpoint.id}`} document={document} />
}
