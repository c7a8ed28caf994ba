import type { UseQueryResult } from '@tanstack/react-query'
import type { CreatePreview } from '../../../contract/dashboard/subscription-views.ts'
import type { DashboardSubscriptionCreate } from '../../../contract/dashboard/subscriptions-api.ts'
import { fill } from '../../../contract/text.ts'
import { type CallError, useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { useGo } from '../../kit/links.tsx'
import { useMoney } from '../../kit/money.tsx'
import { quietWhenStale, useAgreement } from '../../kit/preview.ts'
import { useInvalidate } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { FiguresChanged } from '../../kit/was.tsx'
import { CreateFigures } from './create-figures.tsx'
import { Notice } from './notice.tsx'
import { TEXTS } from './texts/texts.ts'

interface CreateDialogProps {
  body: DashboardSubscriptionCreate
  preview: UseQueryResult<CreatePreview, CallError> & { data: CreatePreview }
  onClose(): void
}

/** Confirms the creation. If the figures have changed, the page also shows the new ones. */
export function CreateDialog({ body, preview: read, onClose }: CreateDialogProps) {
  const t = useTexts(TEXTS)
  const money = useMoney()
  const call = useCall()
  const go = useGo()
  const toast = useToast()
  const invalidate = useInvalidate()
  const { data: preview } = read
  const { former, commit } = useAgreement(read)
  const create = async (key: string) => {
    const order = { ...body, preview_hash: preview.preview_hash }
    const made = await commit(() => call('POST /subscriptions', { body: order, key }))
    toast(t.created)
    await invalidate('GET /subscriptions')
    await go(`subscriptions/${made.id}`)
  }
  const amount = money(preview.charged_now, preview.currency.toUpperCase())
  const verb = { charge: fill(t.createCharge, { amount }), verify: t.createVerify, link: t.create }[preview.first]
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.createTitle}
      verb={verb}
      isOnce
      onConfirm={create}
      disabled={read.isFetching}
      refusalOf={(refusal) => {
        const { code, extra } = refusal
        return code === 'card_declined' && typeof extra.decline_code === 'string' ? (
          <Notice tone="bad" text={fill(t.createDeclined, { code: extra.decline_code })} />
        ) : (
          quietWhenStale(refusal)
        )
      }}
    >
      <FiguresChanged since={former} />
      <CreateFigures preview={preview} former={former} error={null} />
    </ConfirmDialog>
  )
}
