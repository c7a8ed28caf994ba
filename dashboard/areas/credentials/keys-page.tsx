import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ApiKeyObject, ApiKeyWithSecret } from '../../../contract/dashboard/credentials-api.ts'
import { Empty } from '../../kit/empty.tsx'
import type { Column } from '../../kit/list.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { SecretDialog } from '../../kit/secret-dialog.tsx'
import { Status, type Tone } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant, useInstantText } from '../../kit/time.tsx'
import { WholeList } from '../../kit/whole-list.tsx'
import { NewKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx'
import { CREDENTIAL_TEXTS } from './texts/texts.ts'

export default function KeysPage() {
  const t = useTexts(CREDENTIAL_TEXTS)
  const read = useRead('GET /api_keys')
  const [isNew, setNew] = useState(false)
  const [rotated, setRotated] = useState<ApiKeyObject | null>(null)
  const [revoked, setRevoked] = useState<ApiKeyObject | null>(null)
  const [made, setMade] = useState<ApiKeyWithSecret | null>(null)
  const columns = useColumns({ rotate: setRotated, revoke: setRevoked })
  const newKey = <Button onClick={() => setNew(true)}>{t.newKey}</Button>
  const yourIp = read.data?.view.your_ip ?? null
  return (
    <Page title={t.keys} actions={newKey}>
      <p>{t.keysText}</p>
      <WholeList<ApiKeyObject>
        caption={t.keys}
        columns={columns}
        rows={read.data?.data}
        error={read.error}
        onRetry={() => void read.refetch()}
        empty={<Empty kind="nothing" title={t.noKeys} text={t.noKeysText} action={newKey} />}
      />
      <NewKeyDialog opened={isNew} yourIp={yourIp} onClose={() => setNew(false)} onMade={setMade} />
      {rotated && (
        <RotateKeyDialog apiKey={rotated} yourIp={yourIp} onClose={() => setRotated(null)} onMade={setMade} />
      )}
      {revoked && <RevokeKeyDialog apiKey={revoked} onClose={() => setRevoked(null)} />}
      {made && (
        <SecretDialog
          title={t.keyMade}
          secrets={[{ label: made.name, secret: made.key }]}
          goneText={t.secretGone}
          onClose={() => setMade(null)}
        />
      )}
    </Page>
  )
}

const TONES: Record<ApiKeyObject['status'], Tone> = {
  active: 'good',
  rotated: 'warn',
  expired: 'plain',
  revoked: 'plain',
}

interface KeyActions {
  rotate(key: ApiKeyObject): void
  revoke(key: ApiKeyObject): void
}

function useColumns(actions: KeyActions): Column<ApiKeyObject>[] {
  const t = useTexts(CREDENTIAL_TEXTS)
  const text = useInstantText()
  return [
    { id: 'name', header: t.name, cell: ({ name }) => <strong>{name}</strong> },
    {
      id: 'key',
      header: t.key,
      cell: ({ prefix, last_four: last }) => <code className="nowrap">{fill(t.keyOf, { prefix, last })}</code>,
    },
    {
      id: 'status',
      header: t.status,
      cell: ({ status, expires_at: until }) => (
        <Status tone={TONES[status]}>
          {status === 'rotated' && until !== null ? fill(t.rotatedUntil, { time: text(until) }) : t[status]}
        </Status>
      ),
    },
    { id: 'from', header: t.from, cell: ({ allowed_ips: addresses }) => addresses.join(', ') },
    {
      id: 'used',
      header: t.lastUsed,
      cell: ({ last_used_at: at, last_used_from: address }) =>
        at === null ? t.never : fill(t.lastUsedFrom, { time: text(at), address: address ?? '' }),
    },
    { id: 'by', header: t.madeBy, cell: ({ created_by: person }) => person ?? t.operator },
    { id: 'created', header: t.created, cell: ({ created }) => <Instant at={created} /> },
    { id: 'actions', header: t.actions, cell: (key) => <KeyButtons apiKey={key} {...actions} /> },
  ]
}

function KeyButtons({ apiKey, rotate, revoke }: KeyActions & { apiKey: ApiKeyObject }) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const { name, status } = apiKey
  if (status === 'revoked' || status === 'expired') return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be a group of form fields
    <span className="row-buttons" role="group" aria-label={fill(t.actionsOf, { name })}>
      {status === 'active' && (
        <Button variant="default" size="sm" onClick={() => rotate(apiKey)}>
          {t.rotate}
        </Button>
      )}
      <Button variant="default" size="sm" onClick={() => revoke(apiKey)}>
        {t.revoke}
      </Button>
    </span>
  )
}
