import { Button } from '@mantine/core'
import { useState } from 'react'
import type { OAuthClient, OAuthClientWithSecret } from '../../../contract/dashboard/credentials-api.ts'
import { Card, CopyId, Fields } from '../../kit/detail.tsx'
import { Empty } from '../../kit/empty.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { SecretDialog } from '../../kit/secret-dialog.tsx'
import { Status } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant, useInstantText } from '../../kit/time.tsx'
import { EndClientDialog, type Ending, NewSecretDialog } from './client-endings.tsx'
import { EditClientDialog, NewClientDialog } from './client-forms.tsx'
import { useScopesText } from './scope-input.tsx'
import { CREDENTIAL_TEXTS } from './texts/texts.ts'

/** The open dialog: what a person is about to do with a client. */
type Doing = { what: 'create' } | { what: 'edit' | 'secret' | Ending; client: OAuthClient } | null

export default function ClientsPage() {
  const t = useTexts(CREDENTIAL_TEXTS)
  const read = useRead('GET /oauth_clients')
  const [doing, setDoing] = useState<Doing>(null)
  const [made, setMade] = useState<OAuthClientWithSecret | null>(null)
  const clients = read.data?.data
  const create = <Button onClick={() => setDoing({ what: 'create' })}>{t.newClient}</Button>
  return (
    <Page title={t.clients} actions={create}>
      <p>{t.clientsText}</p>
      {read.error && !clients && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {clients?.length === 0 && (
        <Empty kind="nothing" title={t.noClients} text={t.noClientsText} action={create} guide="tag/tokens" />
      )}
      {clients?.map((client) => (
        <ClientCard key={client.id} client={client} act={setDoing} />
      ))}
      <Dialogs doing={doing} onClose={() => setDoing(null)} onMade={setMade} />
      {made && (
        <SecretDialog
          title={t.clientMade}
          secrets={[
            { label: t.clientSecret, secret: made.client_secret },
            { label: t.accessToken, secret: made.tokens?.access_token ?? null },
            { label: t.refreshToken, secret: made.tokens?.refresh_token ?? null },
          ]}
          goneText={t.secretGone}
          onClose={() => setMade(null)}
        />
      )}
    </Page>
  )
}

interface DialogsProps {
  doing: Doing
  onClose(): void
  onMade(made: OAuthClientWithSecret): void
}

function Dialogs({ doing, onClose, onMade }: DialogsProps) {
  if (doing === null) return null
  if (doing.what === 'create') return <NewClientDialog onClose={onClose} onMade={onMade} />
  const { what, client } = doing
  if (what === 'edit') return <EditClientDialog client={client} onClose={onClose} />
  if (what === 'secret') return <NewSecretDialog client={client} onClose={onClose} onMade={onMade} />
  return <EndClientDialog client={client} ending={what} onClose={onClose} />
}

function ClientCard({ client, act }: { client: OAuthClient; act(doing: Doing): void }) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const { id, name, status, origin, view } = client
  const { refresh_reuse: reuse } = view
  const [text, scopesText] = [useInstantText(), useScopesText()]
  const reuseText = ({ at, from, ended }: NonNullable<typeof reuse>) =>
    fill(ended ? t.reuseEnded : t.reuseSeen, { time: text(at), address: from })
  return (
    <Card title={fill(t.titleOf, { name, last: id.slice(-4) })} actions={<ClientButtons client={client} act={act} />}>
      <Fields
        items={[
          [
            t.status,
            <Status key="status" tone={status === 'active' ? 'good' : 'plain'}>
              {t[`client_${status}`]}
            </Status>,
          ],
          [t.origin, <code key="origin">{origin}</code>],
          [t.redirectUrl, <code key="url">{client.redirect_url}</code>],
          [t.clientId, <CopyId key="id" id={id} label={t.clientId} />],
          [t.passwordGrant, client.password_grant ? t.on : t.off],
          [t.skipsFactorName, client.skips_second_factor ? t.on : t.off],
          [t.scopes, scopesText(client.scopes)],
          [t.madeBy, client.created_by ?? t.operator],
          ...(reuse ? [[t.reuse, reuseText(reuse)] as [string, string]] : []),
          [t.families, String(view.families)],
          [t.lastToken, view.last_token_at === null ? t.never : <Instant key="token" at={view.last_token_at} />],
          [t.created, <Instant key="created" at={client.created} />],
        ]}
      />
    </Card>
  )
}

function ClientButtons({ client, act }: { client: OAuthClient; act(doing: Doing): void }) {
  const t = useTexts(CREDENTIAL_TEXTS)
  if (client.status === 'revoked') return null
  const buttons = [
    ['edit', t.edit],
    ['secret', t.newSecret],
    ['end_tokens', t.endTokens],
    ['revoke', t.revoke],
  ] as const
  return buttons.map(([what, label]) => (
    <Button key={what} variant="default" size="sm" onClick={() => act({ what, client })}>
      {label}
    </Button>
  ))
}
