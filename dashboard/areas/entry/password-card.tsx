import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card, Fields } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { personCall } from '../../kit/person-call.ts'
import { useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { type Account, useRefreshAccount } from './account.ts'
import { NewPassword } from './new-password.tsx'
import { TEXTS } from './texts/texts.ts'

export function PasswordCard({ account }: { account: Account }) {
  const t = useTexts(TEXTS)
  const refresh = useRefreshAccount()
  const toast = useToast()
  const [isOpen, setOpen] = useState(false)
  const [password, setPassword] = useState('')
  const { password_changed_at: changedAt } = account
  const change = async () => {
    await personCall('POST /dashboard/auth/password', { body: { password } })
    await refresh()
    setPassword('')
    toast(t.passwordChanged)
  }
  return (
    <Card title={t.passwordCard}>
      <div className="stack">
        <Fields items={[[t.changedAt, changedAt === null ? t.never : <Instant key="at" at={changedAt} />]]} />
        <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setOpen(true)}>
          {t.changePassword}
        </Button>
      </div>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t.changePassword}
        verb={t.changePassword}
        onConfirm={change}
      >
        <p>{t.passwordEffect}</p>
        <NewPassword data-autofocus value={password} onChange={setPassword} />
      </ConfirmDialog>
    </Card>
  )
}
