import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { personCall } from '../../kit/person-call.ts'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { type Account, useRefreshAccount } from './account.ts'
import { AddTotp } from './add-totp.tsx'
import { FactorDialog } from './factor-dialog.tsx'
import { TEXTS } from './texts/texts.ts'

export function TotpCard({ account: { totp } }: { account: Account }) {
  const t = useTexts(TEXTS)
  const refresh = useRefreshAccount()
  const toast = useToast()
  // The action at the time of the click: once the app is added, its recovery codes are still to be shown.
  const [open, setOpen] = useState<'add' | 'remove' | null>(null)
  const close = () => setOpen(null)
  const remove = async () => {
    await personCall('DELETE /dashboard/auth/totp')
    await refresh()
    toast(t.totpRemoved)
  }
  return (
    <Card title={t.totp}>
      <div className="stack">
        <Status tone={totp ? 'good' : 'plain'}>{totp ? t.totpOn : t.totpOff}</Status>
        <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setOpen(totp ? 'remove' : 'add')}>
          {totp ? t.removeTotp : t.addTotp}
        </Button>
      </div>
      {open === 'remove' && (
        <ConfirmDialog opened onClose={close} title={t.removeTotp} verb={t.remove} tone="danger" onConfirm={remove}>
          <p>{t.removeTotpText}</p>
        </ConfirmDialog>
      )}
      {open === 'add' && (
        <FactorDialog title={t.addTotp} onClose={close} onAdded={() => toast(t.totpAdded)}>
          {(finish) => <AddTotp onDone={finish} />}
        </FactorDialog>
      )}
    </Card>
  )
}
