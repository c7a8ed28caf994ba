import { Select } from '@mantine/core'
import type { PickerProps } from '../../kit/filters.ts'
import { useRead } from '../../kit/read.ts'
import { useTexts } from '../../kit/texts.ts'
import { PAYMENT_TEXTS } from './texts/texts.ts'

const SHOWN = 100

/** The open batches, and the newest settled ones. */
export default function BatchPicker(props: PickerProps) {
  const t = useTexts(PAYMENT_TEXTS)
  const [open, listed] = [useRead('GET /batches/current'), useRead('GET /batches', { query: { limit: SHOWN } })]
  const found = new Map<string, string>(
    [...(open.data?.data ?? []), ...(listed.data?.data ?? [])].flatMap(({ id, number, currency, status }) =>
      id === null ? [] : [[id, `${number} · ${currency.toUpperCase()} · ${t[`batch_${status}`]}`] as const],
    ),
  )
  const { value } = props
  // The chosen batch is older than those listed.
  if (value !== null && !found.has(value)) found.set(value, value)
  return <Select searchable {...props} data={[...found].map(([id, label]) => ({ value: id, label }))} />
}
