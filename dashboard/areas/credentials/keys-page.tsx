import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ApiKeyObject, ApiKeyWithSecret } from '../../../contract/dashboard/credentials-api.ts'
import { Card, Fields } from '../../kit/detail.tsx'
import { Empty } from '../../kit/empty.tsx'
import type { Column } from '../../kit/list.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { Page } from '../../kit/page.tsx'
import { useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { SecretDialog } from '../../kit/secret-dialog.tsx'
import { Status, type Tone } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant, useInstantText } from '../../kit/time.tsx'
import { NewKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx'
import { useScopesText } from './scope-input.tsx'
import { CREDENTIAL_TEXTS } from './texts/texts.ts'

export default function KeysPage() {
  const t = useTexts(CREDENTIAL_TEXTS)
  const read = useRead('GET /api_keys')
  const [isNew, setNew] = useState(false)
  const [rotated, setRotated] = useState<ApiKeyObject | null>(null)
  const [revoked, setRevoked] = useState<ApiKeyObject | null>(null)
  const [made, setMade] = useState<ApiKeyWithSecret | null>(null)
  const keys = read.data?.data
  const newKey = <Button onClick={() => setNew(true)}>{t.newKey}</Button>
  const yourIp = read.data?.view.your_ip ?? null
  return (
    <Page title={t.keys} actions={newKey}>
      <p>{t.keysText}</p>
      {read.error && !keys && <Refusal error={read.error} onRetry={() => void read.refetch()} />}
      {keys?.length === 0 && (
        <Empty kind="nothing" title={t.noKeys} text={t.noKeysText} action={newKey} guide="description/authentication" />
      )}
      {keys?.filter(isWorking).map((key) => (
        <KeyCard key={key.id} apiKey={key} rotate={setRotated} revoke={setRevoked} />
      ))}
      <EndedKeys keys={keys?.filter((key) => !isWorking(key)) ?? []} />
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

const isWorking = ({ status }: ApiKeyObject) => status === 'active' || status === 'rotated'

interface KeyCardProps {
  apiKey: ApiKeyObject
  rotate(key: ApiKeyObject): void
  revoke(key: ApiKeyObject): void
}

function KeyCard({ apiKey, rotate, revoke }: KeyCardProps) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const text = useInstantText()
  const scopesText = useScopesText()
  const { name, prefix, last_four: last, status, expires_at: until, last_used_at: at, last_used_from: from } = apiKey
  const buttons = (
    <>
      {status === 'active' && (
        <Button variant="default" size="sm" onClick={() => rotate(apiKey)}>
          {t.rotate}
        </Button>
      )}
      <Button variant="default" size="sm" onClick={() => revoke(apiKey)}>
        {t.revoke}
      </Button>
    </>
  )
  return (
    <Card title={fill(t.titleOf, { name, last })} actions={buttons}>
      {status === 'rotated' && until !== null && <p>{fill(t.rotatedUntil, { time: text(until) })}</p>}
      <Fields
        items={[
          [
            t.status,
            <Status key="status" tone={TONES[status]}>
              {t[status]}
            </Status>,
          ],
          [t.key, <code key="key">{fill(t.keyOf, { prefix, last })}</code>],
          [t.from, apiKey.allowed_ips.join(', ')],
          [t.scopes, scopesText(apiKey.scopes)],
          [t.lastUsed, at === null ? t.never : fill(t.lastUsedFrom, { time: text(at), address: from ?? '' })],
          [t.madeBy, apiKey.created_by ?? t.operator],
          [t.created, <Instant key="created" at={apiKey.created} />],
        ]}
      />
    </Card>
  )
}

function EndedKeys({ keys }: { keys: ApiKeyObject[] }) {
  const t = useTexts(CREDENTIAL_TEXTS)
  if (keys.length === 0) return null
  const columns: Column<ApiKeyObject>[] = [
    { id: 'name', header: t.name, cell: ({ name }) => name },
    { id: 'key', header: t.key, cell: ({ prefix, last_four: last }) => <code>{fill(t.keyOf, { prefix, last })}</code> },
    { id: 'status', header: t.status, cell: ({ status }) => <Status tone={TONES[status]}>{t[status]}</Status> },
    { id: 'by', header: t.madeBy, cell: ({ created_by: person }) => person ?? t.operator },
    { id: 'created', header: t.created, cell: ({ created }) => <Instant at={created} /> },
  ]
  return (
    <>
      <h2>{t.endedKeys}</h2>
      <ListTable caption={t.endedKeys} columns={columns} rows={keys} />
    </>
  )
}
