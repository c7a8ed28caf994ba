import { Button } from '@mantine/core'
import { type ComponentType, Suspense, useState } from 'react'
import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'
import { lazyPart } from '../../kit/lazy-part.ts'
import { useMay } from '../../kit/me.ts'
import { useTexts } from '../../kit/texts.ts'
import type { DialogProps } from './dialog-props.ts'
import { TEXTS } from './texts/texts.ts'

const DIALOGS = {
  pause: lazyPart(() => import('./pause-dialog.tsx')),
  resume: lazyPart(() => import('./resume-dialog.tsx')),
  cancel: lazyPart(() => import('./cancel-dialog.tsx')),
  retry: lazyPart(() => import('./retry-dialog.tsx')),
  card: lazyPart(() => import('./card-dialog.tsx')),
  edit: lazyPart(() => import('./edit-dialog.tsx')),
} satisfies Record<string, ComponentType<DialogProps>>
type Action = keyof typeof DIALOGS

/** What can be done with it now, by this person. */
export function SubscriptionActions({ of }: { of: SubscriptionPage }) {
  const t = useTexts(TEXTS)
  const [open, setOpen] = useState<Action | null>(null)
  const may = { write: useMay('subscriptions.write'), retry: useMay('subscriptions.retry') }
  const labels: Record<Action, string> = {
    retry: t.retry,
    resume: t.resume,
    pause: t.pause,
    card: t.changeCard,
    edit: t.edit,
    cancel: t.cancelIt,
  }
  const Dialog = open && DIALOGS[open]
  return (
    <>
      {actionsOf(of, may).map((action) => (
        <Button
          key={action}
          variant={action === 'resume' || action === 'retry' ? 'filled' : 'default'}
          onClick={() => setOpen(action)}
        >
          {labels[action]}
        </Button>
      ))}
      {Dialog && (
        <Suspense>
          <Dialog of={of} onClose={() => setOpen(null)} onOtherCard={() => setOpen('card')} />
        </Suspense>
      )}
    </>
  )
}

function actionsOf(
  { status, retry_count, view, pause_at, cancel_at_period_end }: SubscriptionPage,
  may: {
    write: boolean
    retry: boolean
  },
): Action[] {
  const isOpen = status === 'active' && (view.queue?.status === 'PENDING' || retry_count > 0)
  const isPausable = status === 'active' && pause_at === null && !cancel_at_period_end
  const isRunning = status === 'active' || status === 'paused'
  const shown: [Action, boolean][] = [
    ['retry', may.retry && isOpen],
    ['resume', may.write && status === 'paused'],
    ['pause', may.write && isPausable],
    ['card', may.write && isRunning],
    ['edit', may.write],
    ['cancel', may.write && (isRunning || status === 'pending_payment_method')],
  ]
  return shown.flatMap(([action, isShown]) => (isShown ? [action] : []))
}
