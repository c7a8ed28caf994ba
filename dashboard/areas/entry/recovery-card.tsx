import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../kit/detail.tsx'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { focusFirst } from '../../kit/first-focus.ts'
import { Modal } from '../../kit/modal.tsx'
import { personCall } from '../../kit/person-call.ts'
import { plural, useLocale, useTexts } from '../../kit/texts.ts'
import { type Account, useRefreshAccount } from './account.ts'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TEXTS } from './texts/texts.ts'

export function RecoveryCard({ account: { recovery_codes_left: left } }: { account: Account }) {
  const t = useTexts(TEXTS)
  const locale = useLocale()
  const refresh = useRefreshAccount()
  const [isOpen, setOpen] = useState(false)
  const [codes, setCodes] = useState<string[] | null>(null)
  const renew = async () => {
    const { recovery_codes: made } = await personCall('POST /dashboard/auth/recovery-codes')
    setCodes(made)
    await refresh()
  }
  return (
    <Card title={t.recovery}>
      <div className="stack">
        <p>{left === null ? t.noRecovery : plural(t.recoveryLeft, left, locale)}</p>
        {left !== null && (
          <Button variant="default" style={{ alignSelf: 'flex-start' }} onClick={() => setOpen(true)}>
            {t.newCodes}
          </Button>
        )}
      </div>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t.newCodes}
        verb={t.newCodes}
        onConfirm={renew}
      >
        <p>{t.newCodesText}</p>
      </ConfirmDialog>
      <Modal
        opened={codes !== null}
        onClose={() => {}}
        title={t.recoveryTitle}
        withCloseButton={false}
        closeOnClickOutside={false}
      >
        <div ref={focusFirst}>{codes && <RecoveryCodes codes={codes} onStored={() => setCodes(null)} />}</div>
      </Modal>
    </Card>
  )
}
