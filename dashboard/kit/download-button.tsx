import { Button } from '@mantine/core'
import { type ReactNode, useRef } from 'react'
import type { EndpointName } from '../../contract/dashboard/dashboard-api.ts'
import { type CallOptions, useDownload } from './call.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { Refusal } from './refusal.tsx'
import { useSubmit } from './submit.ts'
import { useTexts } from './texts.ts'

interface DownloadButtonProps<Name extends EndpointName> {
  name: Name
  options: CallOptions<Name>
  fileName: string
  children: ReactNode
}

/** Downloads a file. If that fails, the reason appears below the buttons, and the person can try again. */
export function DownloadButton<Name extends EndpointName>(props: DownloadButtonProps<Name>) {
  const { name, options, fileName, children } = props
  const t = useTexts(KIT_TEXTS)
  const download = useDownload()
  const button = useRef<HTMLButtonElement>(null)
  const { submit, isSending, error } = useSubmit(() => download(name, options, fileName))
  function retry() {
    // The button that was pressed disappears together with the refusal.
    button.current?.focus()
    submit()
  }
  return (
    <>
      <Button ref={button} variant="default" size="sm" aria-busy={isSending} onClick={submit}>
        {children}
      </Button>
      {error !== null && (
        <div className="download-failed">
          <Refusal error={error} onRetry={retry} title={t.downloadFailed} />
        </div>
      )}
    </>
  )
}
