import { Button } from '@mantine/core'
import { useState } from 'react'
import type { GooglePayKey } from '../../../contract/dashboard/google-pay-keys-api.ts'
import { useCall } from '../../kit/call.ts'
import { Card, CopyId } from '../../kit/detail.tsx'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { useMay } from '../../kit/me.ts'
import { useInvalidate, useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { SETTINGS_TEXTS } from './texts/texts.ts'

const ACTIVE_MAX = 2

/** The keys for tokens of the merchant's own id. To rotate, a person adds a key and retires the old one. */
export function GooglePayKeys() {
  const t = useTexts(SETTINGS_TEXTS)
  const read = useRead('GET /google_pay_keys')
  const mayChange = useMay('settings.write')
  const [isAdding, setAdding] = useState(false)
  const [retired, setRetired] = useState<GooglePayKey | null>(null)
  const keys = read.data?.data ?? []
  const active = keys.filter(({ status }) => status === 'active')
  const add = mayChange && active.length < ACTIVE_MAX && (
    <Button variant="default" onClick={() => setAdding(true)}>
      {t.googlePayNewKey}
    </Button>
  )
  return (
    <Card title={t.googlePayKeys} actions={add}>
      <p>{t.googlePayKeysText}</p>
      {read.error && <Refusal error={read.error} />}
      <ListTable
        caption={t.googlePayKeys}
        rows={keys}
        columns={[
          { id: 'key', header: t.publicKey, cell: ({ public_key: key }) => <CopyId id={key} label={t.publicKey} /> },
          { id: 'created', header: t.keyCreated, cell: ({ created }) => <Instant at={created} /> },
          { id: 'status', header: t.keyStatus, cell: (key) => <KeyStatus of={key} /> },
          {
            id: 'retire',
            header: t.retireKey,
            cell: (key) =>
              mayChange &&
              key.status === 'active' &&
              active.length > 1 && (
                <Button variant="default" size="sm" onClick={() => setRetired(key)}>
                  {t.retireKey}
                </Button>
              ),
          },
        ]}
      />
      <AddDialog opened={isAdding} onClose={() => setAdding(false)} />
      {retired && <RetireDialog of={retired} onClose={() => setRetired(null)} />}
    </Card>
  )
}

function KeyStatus({ of }: { of: GooglePayKey }) {
  const t = useTexts(SETTINGS_TEXTS)
  const isActive = of.status === 'active'
  return <Status tone={isActive ? 'good' : 'plain'}>{isActive ? t.keyActive : t.keyRetired}</Status>
}

function AddDialog({ opened, onClose }: { opened: boolean; onClose(): void }) {
  const t = useTexts(SETTINGS_TEXTS)
  const [call, invalidate] = [useCall(), useInvalidate()]
  async function add() {
    await call('POST /google_pay_keys')
    await invalidate('GET /google_pay_keys')
    onClose()
  }
  return (
    <ConfirmDialog opened={opened} onClose={onClose} title={t.googlePayNewKey} verb={t.googlePayNewKey} onConfirm={add}>
      <p>{t.googlePayNewKeyText}</p>
    </ConfirmDialog>
  )
}

function RetireDialog({ of: { id }, onClose }: { of: GooglePayKey; onClose(): void }) {
  const t = useTexts(SETTINGS_TEXTS)
  const [call, invalidate] = [useCall(), useInvalidate()]
  async function retire() {
    await call('POST /google_pay_keys/{id}/retire', { params: { id } })
    await invalidate('GET /google_pay_keys')
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.retireKeyTitle}
      about={id}
      verb={t.retireKey}
      tone="danger"
      onConfirm={retire}
    >
      <p>{t.retireKeyText}</p>
    </ConfirmDialog>
  )
}
