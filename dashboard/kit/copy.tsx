import { ActionIcon, Alert, Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { fill } from '../../contract/text.ts'
import { announce } from './announce.tsx'
import { Icon } from './icons.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { useTexts } from './texts.ts'

const SHOWN_MS = 2_000

function useCopy(text: string): { state: 'ready' | 'copied' | 'failed'; copy(): Promise<void> } {
  const t = useTexts(KIT_TEXTS)
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  async function copy() {
    const isDone = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
    setState(isDone ? 'copied' : 'failed')
    announce(isDone ? t.copied : t.copyFailed)
    setTimeout(() => setState('ready'), SHOWN_MS)
  }
  return { state, copy }
}

/** @param label name of the copied text for screen readers: `Payment id` */
export function Copy({ text, label }: { text: string; label: string }) {
  const t = useTexts(KIT_TEXTS)
  const { state, copy } = useCopy(text)
  const hint = { ready: t.copy, copied: t.copied, failed: t.copyFailed }[state]
  return (
    <ActionIcon
      variant="subtle"
      size={32}
      title={hint}
      aria-label={fill(t.copyOf, { what: label })}
      onClick={(event) => {
        event.preventDefault()
        event.stopPropagation()
        void copy()
      }}
    >
      <Icon name={state === 'copied' ? 'good' : 'copy'} />
    </ActionIcon>
  )
}

interface SecretOnceProps {
  secret: string
  label: string
  /** Called when the person confirms that it is stored; closes the dialog. */
  onStored(): void
}

/** A secret that is shown only once. */
export function SecretOnce({ secret, label, onStored }: SecretOnceProps) {
  const t = useTexts(KIT_TEXTS)
  const { state, copy } = useCopy(secret)
  const [isStored, setStored] = useState(false)
  return (
    <div className="stack">
      <Alert color="yellow" variant="outline" title={t.secretOnce} />
      <div>
        <div className="label">{label}</div>
        <code className="secret">{secret}</code>
      </div>
      <Button variant="default" onClick={() => void copy()} leftSection={<Icon name="copy" />}>
        {{ ready: t.copy, copied: t.copied, failed: t.copyFailed }[state]}
      </Button>
      <Checkbox
        label={t.secretStored}
        checked={isStored}
        onChange={({ currentTarget }) => setStored(currentTarget.checked)}
      />
      <Button disabled={!isStored} onClick={onStored}>
        {t.done}
      </Button>
    </div>
  )
}
