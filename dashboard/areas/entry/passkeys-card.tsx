import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast, useUndo } from '../../kit/dialog.tsx'
import { KIT_TEXTS } from '../../kit/kit-texts.ts'
import { personCall } from '../../kit/person-call.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { type Account, useRefreshAccount } from './account.ts'
import { AddPasskey } from './add-passkey.tsx'
import { FactorDialog } from './factor-dialog.tsx'
import { hasPasskeys } from './passkey.ts'
import { TEXTS } from './texts/texts.ts'

type Passkey = Account['passkeys'][number]

export function PasskeysCard({ account: { passkeys } }: { account: Account }) {
  const t = useTexts(TEXTS)
  const toast = useToast()
  const [isAdding, setAdding] = useState(false)
  const [changed, setChanged] = useState<{ passkey: Passkey; to: 'rename' | 'remove' } | null>(null)
  return (
    <Card title={t.passkeys}>
      <div className="stack">
        {passkeys.length === 0 && <p>{t.noPasskeys}</p>}
        <ul className="plain-list">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <PasskeyRow passkey={passkey} onChange={(to) => setChanged({ passkey, to })} />
            </li>
          ))}
        </ul>
        {hasPasskeys() && (
          <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setAdding(true)}>
            {t.addPasskey}
          </Button>
        )}
      </div>
      {isAdding && (
        <FactorDialog title={t.addPasskey} onClose={() => setAdding(false)} onAdded={() => toast(t.passkeyAdded)}>
          {(finish) => <AddPasskey onDone={finish} />}
        </FactorDialog>
      )}
      {changed?.to === 'rename' && <RenamePasskey passkey={changed.passkey} onClose={() => setChanged(null)} />}
      {changed?.to === 'remove' && <RemovePasskey passkey={changed.passkey} onClose={() => setChanged(null)} />}
    </Card>
  )
}

function PasskeyRow({ passkey, onChange }: { passkey: Passkey; onChange(to: 'rename' | 'remove'): void }) {
  const t = useTexts(TEXTS)
  const { name, is_synced: isSynced, created_at: madeAt, last_used_at: usedAt } = passkey
  return (
    <>
      <strong>{name}</strong>
      <div className="dimmed">
        {isSynced ? t.synced : t.oneDevice} · {t.made} <Instant at={madeAt} />
        {usedAt !== null && (
          <>
            {' · '}
            {t.lastUsed} <Instant at={usedAt} />
          </>
        )}
      </div>
      <div className="row-actions">
        <Button
          variant="default"
          size="sm"
          aria-label={fill(t.renamePasskey, { name })}
          onClick={() => onChange('rename')}
        >
          {t.rename}
        </Button>
        <Button
          variant="default"
          size="sm"
          aria-label={fill(t.removePasskey, { name })}
          onClick={() => onChange('remove')}
        >
          {t.remove}
        </Button>
      </div>
    </>
  )
}

interface ChangeProps {
  passkey: Passkey
  onClose(): void
}

function RenamePasskey({ passkey: { id, name: before }, onClose }: ChangeProps) {
  const t = useTexts(TEXTS)
  const kit = useTexts(KIT_TEXTS)
  const refresh = useRefreshAccount()
  const [name, setName] = useState(before)
  const offer = useUndo()
  const write = async (to: string) => {
    await personCall('PATCH /dashboard/auth/passkeys/{id}', { params: { id }, body: { name: to } })
    await refresh()
  }
  const rename = async () => {
    await write(name)
    if (name !== before) offer(fill(t.passkeyRenamed, { name }), () => write(before))
  }
  return (
    <ConfirmDialog opened onClose={onClose} title={t.rename} about={id} verb={kit.save} onConfirm={rename}>
      <TextInput
        data-autofocus
        label={t.passkeyName}
        required
        withAsterisk={false}
        maxLength={60}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
    </ConfirmDialog>
  )
}

function RemovePasskey({ passkey: { id, name }, onClose }: ChangeProps) {
  const t = useTexts(TEXTS)
  const refresh = useRefreshAccount()
  const toast = useToast()
  const remove = async () => {
    await personCall('DELETE /dashboard/auth/passkeys/{id}', { params: { id } })
    await refresh()
    toast(t.passkeyRemoved)
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.removePasskey, { name })}
      about={id}
      verb={t.remove}
      tone="danger"
      onConfirm={remove}
    >
      <p>{fill(t.removePasskeyText, { name })}</p>
    </ConfirmDialog>
  )
}
