import { Button } from '@mantine/core'
import { useState } from 'react'
import type { CustomerDetail } from '../../../contract/dashboard/customers-api.ts'
import { plural } from '../../../contract/text.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useMay } from '../../kit/me.ts'
import { useInvalidate } from '../../kit/read.ts'
import { fill, useLocale, useTexts } from '../../kit/texts.ts'
import { useInstantText } from '../../kit/time.tsx'
import { CUSTOMER_TEXTS } from './texts/texts.ts'

/** Says until when the customer has links to store a card, and revokes them. */
export function CardLinks({ customer: { id, view } }: { customer: CustomerDetail }) {
  const t = useTexts(CUSTOMER_TEXTS)
  const [locale, instant] = [useLocale(), useInstantText()]
  const [isOpen, setOpen] = useState(false)
  const mayRevoke = useMay('customers.write')
  const { card_links: links } = view
  if (links === null) return null
  return (
    <div className="stack">
      <p>{fill(plural(t.linksOut, links.count, locale), { until: instant(links.expires) })}</p>
      {mayRevoke && (
        <div>
          <Button variant="default" size="sm" onClick={() => setOpen(true)}>
            {t.linksRevoke}
          </Button>
        </div>
      )}
      <RevokeDialog customerId={id} isOpen={isOpen} onClose={() => setOpen(false)} />
    </div>
  )
}

interface RevokeDialogProps {
  customerId: string
  isOpen: boolean
  onClose(): void
}

function RevokeDialog({ customerId, isOpen, onClose }: RevokeDialogProps) {
  const t = useTexts(CUSTOMER_TEXTS)
  const [call, invalidate, toast] = [useCall(), useInvalidate(), useToast()]
  async function revoke() {
    await call('POST /customers/{id}/revoke_card_links', { params: { id: customerId } })
    toast(t.linksRevoked)
    await invalidate('GET /customers/{id}', 'GET /customers/{id}/history')
  }
  return (
    <ConfirmDialog
      opened={isOpen}
      onClose={onClose}
      title={t.linksRevokeTitle}
      verb={t.linksRevokeVerb}
      tone="danger"
      onConfirm={revoke}
    >
      <p>{t.linksRevokeText}</p>
    </ConfirmDialog>
  )
}
