import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ContractDetail } from '../../../contract/dashboard/contracts-api.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { SubscriptionPicker } from './subscription-picker.tsx'
import { CONTRACT_TEXTS } from './texts/texts.ts'

/** Links the contract to a subscription of its customer. */
export function LinkContract({ contract }: { contract: ContractDetail }) {
  const t = useTexts(CONTRACT_TEXTS)
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<string | null>(null)
  const [call, invalidate, toast] = [useCall(), useInvalidate(), useToast()]
  async function link() {
    if (chosen === null) return
    await call('POST /contracts/{id}/link', { params: { id: contract.id }, body: { subscription: chosen } })
    toast(t.linked)
    await invalidate('GET /contracts/{id}', 'GET /contracts', 'GET /customers/{id}')
  }
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        {t.linkVerb}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t.linkTitle}
        verb={t.linkVerb}
        disabled={chosen === null}
        onConfirm={link}
      >
        <p>{t.linkDialogText}</p>
        <SubscriptionPicker customer={contract.customer.id} value={chosen} onChange={setChosen} />
      </ConfirmDialog>
    </>
  )
}
