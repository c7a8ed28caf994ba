import { Button } from '@mantine/core'
import { useState } from 'react'
import type { OAuthClient, OAuthClientWithSecret } from '../../../contract/dashboard/credentials-api.ts'
import { CopyId } from '../../kit/detail.tsx'
import { Empty } from '../../kit/empty.tsx'
import type { Column } from '../../kit/list.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { SecretDialog } from '../../kit/secret-dialog.tsx'
import { Status } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { WholeList } from '../../kit/whole-list.tsx'
import { EndClientDialog, type Ending, NewSecretDialog } from './client-endings.tsx'
import { EditClientDialog, NewClientDialog } from './client-forms.tsx'
import { CREDENTIAL_TEXTS } from './texts/texts.ts'

/** What a person is about to do with a client. */
type Doing = { what: 'create' } | { what: 'edit' | 'secret' | Ending; client: OAuthClient } | null

export default function ClientsPage() {
  const t = useTexts(CREDENTIAL_TEXTS)
  const read = useRead('GET /oauth_clients')
  const [doing, setDoing] = useState<Doing>(null)
  const [made, setMade] = useState<OAuthClientWithSecret | null>(null)
  const columns = useColumns(setDoing)
  const create = <Button onClick={() => setDoing({ what: 'create' })}>{t.newClient}</Button>
  return (
    <Page title={t.clients} actions={create}>
      <p>{t.clientsText}</p>
      <WholeList<OAuthClient>
        caption={t.clients}
        columns={columns}
        rows={read.data?.data}
        error={read.error}
        onRetry={() => void read.refetch()}
        empty={<Empty kind="nothing" title={t.noClients} text={t.noClientsText} action={create} />}
      />
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

function useColumns(act: (doing: Doing) => void): Column<OAuthClient>[] {
  const t = useTexts(CREDENTIAL_TEXTS)
  return [
    { id: 'name', header: t.name, cell: ({ name }) => <strong>{name}</strong> },
    { id: 'id', header: t.clientId, cell: ({ id }) => <CopyId id={id} label={t.clientId} /> },
    { id: 'origin', header: t.origin, cell: ({ origin }) => <code>{origin}</code> },
    { id: 'url', header: t.redirectUrl, cell: ({ redirect_url: url }) => <code>{url}</code> },
    {
      id: 'status',
      header: t.status,
      cell: ({ status }) => <Status tone={status === 'active' ? 'good' : 'plain'}>{t[status]}</Status>,
    },
    { id: 'grant', header: t.passwordGrant, cell: (row) => (row.password_grant ? t.on : t.off) },
    { id: 'families', header: t.families, align: 'end', cell: ({ view }) => view.families },
    {
      id: 'token',
      header: t.lastToken,
      cell: ({ view }) => (view.last_token_at === null ? t.never : <Instant at={view.last_token_at} />),
    },
    { id: 'actions', header: t.actions, cell: (client) => <ClientButtons client={client} act={act} /> },
  ]
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
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a group of form fields
    <span className="row-buttons" role="group" aria-label={fill(t.actionsOf, { name: client.name })}>
      {buttons.map(([what, label]) => (
        <Button key={what} variant="default" size="sm" onClick={() => act({ what, client })}>
          {label}
        </Button>
      ))}
    </span>
  )
}
