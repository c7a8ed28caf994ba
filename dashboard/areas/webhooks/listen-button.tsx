import { Button } from '@mantine/core'
import { useToast } from '../../kit/dialog.tsx'
import { Icon } from '../../kit/icons.tsx'
import { useTexts } from '../../kit/texts.ts'
import { LISTEN } from './listen-command.ts'
import { WEBHOOK_TEXTS } from './texts/texts.ts'

/** Copies the command that forwards events to a developer's machine. */
export function ListenButton() {
  const t = useTexts(WEBHOOK_TEXTS)
  const toast = useToast()
  const copy = () =>
    navigator.clipboard.writeText(LISTEN).then(
      () => toast(LISTEN),
      () => toast(LISTEN),
    )
  return (
    <Button variant="default" leftSection={<Icon name="copy" />} onClick={() => void copy()}>
      {t.listen}
    </Button>
  )
}
