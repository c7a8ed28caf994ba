import { Button } from '@mantine/core'
import { Fragment, useState } from 'react'
import type { EndpointOfPage, EndpointWithSecret } from '../../../contract/dashboard/webhooks-api.ts'
import { plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { Copy } from '../../kit/copy.tsx'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { Empty } from '../../kit/empty.tsx'
import { FormProblems } from '../../kit/form.tsx'
import type { Column } from '../../kit/list.tsx'
import { useMay } from '../../kit/me.ts'
import { Page } from '../../kit/page.tsx'
import { useInvalidate, useRead } from '../../kit/read.ts'
import { SecretDialog } from '../../kit/secret-dialog.tsx'
import { fill, useLocale, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { WholeList } from '../../kit/whole-list.tsx'
import { bodyOfDraft, type EndpointDraft, EndpointFields, isComplete } from './endpoint-form.tsx'
import { LISTEN } from './listen-command.ts'
import { WEBHOOK_TEXTS } from './texts/texts.ts'
import { EndpointStatus, useSuccessText } from './webhook-status.tsx'

export default function WebhooksPage() {
  const t = useTexts(WEBHOOK_TEXTS)
  const read = useRead('GET /webhook_endpoints')
  const [isNew, setNew] = useState(false)
  const [made, setMade] = useState<EndpointWithSecret | null>(null)
  const add = useMay('webhooks.write') ? <Button onClick={() => setNew(true)}>{t.newEndpoint}</Button> : null
  return (
    <Page title={t.webhooks} actions={add}>
      <p>{t.webhooksText}</p>
      <WholeList<EndpointOfPage>
        caption={t.webhooks}
        columns={useColumns()}
        rows={read.data?.data}
        error={read.error}
        onRetry={() => void read.refetch()}
        rowTo={({ id }) => `webhooks/${id}`}
        empty={
          <Empty
            kind="nothing"
            title={t.noEndpoints}
            text={<ListenHint mayAdd={add !== null} />}
            action={add}
            guide="tag/webhook-endpoints"
          />
        }
      />
      {isNew && <NewEndpointDialog onClose={() => setNew(false)} onMade={setMade} />}
      {made && (
        <SecretDialog
          title={t.secretTitle}
          secrets={[{ label: t.secret, secret: made.secret }]}
          goneText={t.secretGone}
          onClose={() => setMade(null)}
        />
      )}
    </Page>
  )
}

function ListenHint({ mayAdd }: { mayAdd: boolean }) {
  const t = useTexts(WEBHOOK_TEXTS)
  return (
    <>
      {mayAdd ? t.noEndpointsText : t.listenText} <ListenCommand /> <Copy text={LISTEN} label={t.listenLabel} />
    </>
  )
}

/** The command breaks only between words, so that it can be read on a phone. */
function ListenCommand() {
  return (
    <code className="command">
      {LISTEN.split(' ').map((word, index) => (
        <Fragment key={word}>
          {index > 0 && ' '}
          <span>{word}</span>
        </Fragment>
      ))}
    </code>
  )
}

function useColumns(): Column<EndpointOfPage>[] {
  const t = useTexts(WEBHOOK_TEXTS)
  const locale = useLocale()
  const success = useSuccessText()
  return [
    { id: 'url', header: t.url, cell: ({ url }) => url },
    { id: 'description', header: t.description, cell: ({ description }) => description },
    { id: 'status', header: t.status, cell: (endpoint) => <EndpointStatus endpoint={endpoint} /> },
    {
      id: 'events',
      header: t.events,
      cell: ({ enabled_events: types }) =>
        types.includes('*') ? t.allEvents : plural(t.eventsOf, types.length, locale),
    },
    { id: 'success', header: t.success, align: 'end', cell: ({ view }) => success(view) },
    {
      id: 'p95',
      header: t.p95,
      align: 'end',
      cell: ({ view }) => (view.p95_ms === null ? '–' : fill(t.ms, { ms: view.p95_ms })),
    },
    {
      id: 'last',
      header: t.last,
      cell: ({ view }) => (view.last_attempt_at === null ? t.never : <Instant at={view.last_attempt_at} />),
    },
  ]
}

interface NewEndpointProps {
  onClose(): void
  onMade(made: EndpointWithSecret): void
}

function NewEndpointDialog({ onClose, onMade }: NewEndpointProps) {
  const t = useTexts(WEBHOOK_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const [draft, setDraft] = useState<EndpointDraft>({
    url: '',
    description: '',
    types: ['*'],
    ordered: false,
    auth: 'none',
  })
  async function add(key: string) {
    onMade(await call('POST /webhook_endpoints', { body: bodyOfDraft(draft), key }))
    await invalidate('GET /webhook_endpoints')
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.newEndpoint}
      verb={t.add}
      onConfirm={add}
      disabled={!isComplete(draft)}
      refusalOf={(error) => <FormProblems error={error} labels={{ url: t.url, enabled_events: t.types }} />}
    >
      <EndpointFields draft={draft} onChange={setDraft} />
    </ConfirmDialog>
  )
}
