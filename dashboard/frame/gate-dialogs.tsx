import { Button } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useSyncExternalStore } from 'react'
import { currentDemand, onDemandChange, type Waiting } from '../kit/gate.ts'
import { lazyPart } from '../kit/lazy-part.ts'
import { meQuery } from '../kit/me.ts'
import { Modal } from '../kit/modal.tsx'
import { useReturnFocus } from '../kit/return-focus.ts'
import { useTexts } from '../kit/texts.ts'
import { FRAME_TEXTS } from './frame-texts.ts'

const SignInForm = lazyPart(() => import('../areas/entry/sign-in-form.tsx'))
const StepUpForm = lazyPart(() => import('../areas/entry/step-up-form.tsx'))

/** Dialogs over the page for which a call waits: sign-in, step-up (DSH-32). */
export function Gate() {
  const waiting = useSyncExternalStore(onDemandChange, currentDemand)
  if (!waiting || isOnEntryPage()) return null
  return <Dialog waiting={waiting} />
}

/** Whether the page itself is the sign-in form. */
const isOnEntryPage = () => location.pathname === '/dashboard/sign-in'

function Dialog({ waiting }: { waiting: Waiting }) {
  const t = useTexts(FRAME_TEXTS)
  useReturnFocus(true)
  // A person who accepts an invitation has not had a session yet.
  const before = useQueryClient().getQueryData(meQuery.queryKey)
  const { demand, finish } = waiting
  const title = { signIn: t.signInTitle, stepUp: t.stepUpTitle, secondFactor: t.factorTitle }[demand.kind]
  return (
    <Modal opened onClose={() => finish(false)} title={title} withCloseButton={false} closeOnClickOutside={false}>
      <Suspense>
        {demand.kind === 'signIn' && (
          <div className="stack">
            {before && <p>{t.signInText}</p>}
            <SignInForm email={demand.email ?? before?.user.email} onDone={() => finish(true)} />
          </div>
        )}
        {demand.kind === 'stepUp' && (
          <div className="stack">
            <p>{t.stepUpText}</p>
            <StepUpForm reason={demand.reason} onDone={() => finish(true)} onCancel={() => finish(false)} />
          </div>
        )}
        {demand.kind === 'secondFactor' && (
          <div className="stack">
            <p>{t.factorText}</p>
            <Button component="a" href="/dashboard/account">
              {t.addSecondFactor}
            </Button>
          </div>
        )}
      </Suspense>
    </Modal>
  )
}
