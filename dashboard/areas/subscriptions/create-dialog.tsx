import type { CreatePreview } from '../../../contract/dashboard/subscription-views.ts'
import type { DashboardSubscriptionCreate } from '../../../contract/dashboard/subscriptions-api.ts'
import { fill } from '../../../contract/text.ts'
import { type CallError, useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useGo } from '../../kit/links.tsx'
import { useMoney } from '../../kit/money.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { CreateFigures } from './create-figures.tsx'
import { Notice } from './notice.tsx'
import { TEXTS } from './texts/texts.ts'

interface CreateDialogProps {
  body: DashboardSubscriptionCreate
  preview: CreatePreview
  onClose(): void
  onStale(): void
}

export function CreateDialog({ body, preview, onClose, onStale }: CreateDialogProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const call = useCall()
  const go = useGo()
  const toast = useToast()
  const invalidate = useInvalidate()
  const create = async (key: string) => {
    try {
      const made = await call('POST /subscriptions', { body: { ...body, preview_hash: preview.preview_hash }, key })
      toast(t.created)
      await invalidate('GET /subscriptions')
      await go(`subscriptions/${made.id}`)
    } catch (error) {
      if ((error as CallError).code === 'quote_stale') onStale()
      throw error
    }
  }
  const amount = money(preview.charged_now, preview.currency.toUpperCase())
  const verb = { charge: fill(t.createCharge, { amount }), verify: t.createVerify, link: t.create }[preview.first]
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.createTitle}
      verb={verb}
      onConfirm={create}
      refusalOf={({ code, extra }) =>
        code === 'card_declined' && typeof extra.decline_code === 'string' ? (
          <Notice tone="bad" text={fill(t.createDeclined, { code: extra.decline_code })} />
        ) : null
      }
    >
      <CreateFigures preview={preview} error={null} />
    </ConfirmDialog>
  )
}
