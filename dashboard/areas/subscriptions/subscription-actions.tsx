import { Button } from '@mantine/core'
import { type ComponentType, Suspense, useState } from 'react'
import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'
import { fill } from '../../../contract/text.ts'
import { lazyPart } from '../../kit/lazy-part.ts'
import { useMay } from '../../kit/me.ts'
import { useTexts } from '../../kit/texts.ts'
import { type Action, actionsOf, type OfferedAction } from './actions-of.ts'
import type { DialogProps } from './dialog-props.ts'
import { TEXTS } from './texts/texts.ts'

const DIALOGS = {
  pause: lazyPart(() => import('./pause-dialog.tsx')),
  resume: lazyPart(() => import('./resume-dialog.tsx')),
  cancel: lazyPart(() => import('./cancel-dialog.tsx')),
  retry: lazyPart(() => import('./retry-dialog.tsx')),
  card: lazyPart(() => import('./card-dialog.tsx')),
  edit: lazyPart(() => import('./edit-dialog.tsx')),
} satisfies Record<Action, ComponentType<DialogProps>>

/** Actions that this person can take now. */
export function SubscriptionActions({ of }: { of: SubscriptionPage }) {
  const [open, setOpen] = useState<Action | null>(null)
  const labels = useLabels()
  const Dialog = open && DIALOGS[open]
  return (
    <>
      {useActions(of).map(({ action, block }) => (
        <Button
          key={action}
          variant={action === 'resume' || action === 'retry' ? 'filled' : 'default'}
          disabled={block !== null}
          {...(block !== null && { 'aria-describedby': `reason-${action}` })}
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

/** Explains why some actions are not possible now. */
export function UnavailableActions({ of }: { of: SubscriptionPage }) {
  const t = useTexts(TEXTS)
  const labels = useLabels()
  const unavailable = useActions(of).filter(({ block }) => block !== null)
  if (unavailable.length === 0) return null
  return (
    <ul className="plain-list dimmed">
      {unavailable.map(({ action, block }) => (
        <li key={action} id={`reason-${action}`}>
          {fill(t.notNow, { action: labels[action], reason: block === null ? '' : t[block] })}
        </li>
      ))}
    </ul>
  )
}

function useActions(of: SubscriptionPage): OfferedAction[] {
  return actionsOf(of, { write: useMay('subscriptions.write'), retry: useMay('subscriptions.retry') })
}

function useLabels(): Record<Action, string> {
  const t = useTexts(TEXTS)
  return {
    retry: t.retry,
    resume: t.resume,
    pause: t.pause,
    card: t.changeCard,
    edit: t.edit,
    cancel: t.cancelIt,
  }
}
