import { useState } from 'react'
import { BATCH_COLUMNS } from '../../contract/dashboard/batch-columns.ts'
import type { EndpointName } from '../../contract/dashboard/dashboard-api.ts'
import {
  AUDIT_COLUMNS,
  CONTRACT_COLUMNS,
  CUSTOMER_COLUMNS,
  DELIVERY_COLUMNS,
  EVENT_COLUMNS,
  EXPORT_FORMATS,
  type ExportFormat,
  OPERATION_COLUMNS,
  PAYMENT_COLUMNS,
  PRICE_COLUMNS,
  PRODUCT_COLUMNS,
  REFUSAL_COLUMNS,
  SESSION_COLUMNS,
  SUBSCRIPTION_COLUMNS,
} from '../../contract/dashboard/export-columns.ts'
import { fill } from '../../contract/text.ts'
import { useDownload } from './call.ts'
import { Check } from './check.tsx'
import { ConfirmDialog } from './dialog.tsx'
import { bodyOf, type Filter, type FilterValues, membersOf, useFilters } from './filters.ts'
import { KIT_TEXTS } from './kit-texts.ts'
import { useBusiness } from './me.ts'
import { Select } from './select.tsx'
import { useLocale, useTexts } from './texts.ts'
import { DayField } from './time.tsx'

export interface ExportProps {
  name: ExportName
  filters: Filter[]
  /** Members that every export sends. */
  query: Record<string, unknown>
  params?: Record<string, string>
}

export type ExportName = EndpointName & `POST ${string}/export`

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const COLUMNS: Record<ExportName, readonly string[]> = {
  'POST /payments/export': PAYMENT_COLUMNS,
  'POST /customers/export': CUSTOMER_COLUMNS,
  'POST /subscriptions/export': SUBSCRIPTION_COLUMNS,
  'POST /batches/export': BATCH_COLUMNS,
  'POST /audit/export': AUDIT_COLUMNS,
  'POST /checkout_sessions/export': SESSION_COLUMNS,
  'POST /operations/export': OPERATION_COLUMNS,
  'POST /products/export': PRODUCT_COLUMNS,
  'POST /prices/export': PRICE_COLUMNS,
  'POST /contracts/export': CONTRACT_COLUMNS,
  'POST /events/export': EVENT_COLUMNS,
  'POST /webhook_endpoints/{id}/deliveries/export': DELIVERY_COLUMNS,
  'POST /refusals/export': REFUSAL_COLUMNS,
}

/** Asks for the days, the columns and the time zone of the file. */
export default function ExportDialog({
  name,
  filters,
  query,
  params = {},
  onClose,
}: ExportProps & { onClose(): void }) {
  const t = useTexts(KIT_TEXTS)
  const { time_zone: zone } = useBusiness()
  const [values] = useFilters()
  const [days, setDays] = useState<FilterValues>({})
  const all = COLUMNS[name]
  const [columns, setColumns] = useState<readonly string[]>(all)
  const [chosen, setChosen] = useState(zone)
  const [format, setFormat] = useState<ExportFormat>(useLocale() === 'fr-CA' ? 'semicolon' : 'comma')
  const download = useDownload()
  const file = `${name.split('/').at(-2)}-${new Date().toISOString().slice(0, 10)}.csv`
  const filtered = Object.fromEntries(Object.entries({ ...values, ...days }).filter(([, value]) => value !== ''))
  const body = { ...query, ...bodyOf(filters, filtered), time_zone: chosen, format, columns }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.exportTitle}
      verb={t.exportNow}
      disabled={columns.length === 0}
      onConfirm={(key) => download(name, { params, body, key } as never, file)}
      size="lg"
    >
      <p>{t.exportText}</p>
      <Days filters={filters} values={filtered} onChange={(member, day) => setDays({ ...days, [member]: day })} />
      <Select
        label={t.exportZone}
        data={[...new Set([zone, OWN_ZONE, 'UTC'])]}
        value={chosen}
        onChange={(value) => setChosen(value ?? zone)}
        maw={360}
      />
      <FormatSelect format={format} onChange={setFormat} />
      <Columns all={all} chosen={columns} onChange={setColumns} />
    </ConfirmDialog>
  )
}

function FormatSelect({ format, onChange }: { format: ExportFormat; onChange(format: ExportFormat): void }) {
  const t = useTexts(KIT_TEXTS)
  const labels = { comma: t.exportComma, semicolon: t.exportSemicolon, plain: t.exportPlain }
  return (
    <Select
      label={t.exportFormat}
      description={t.exportFormatHint}
      data={EXPORT_FORMATS.map((value) => ({ value, label: labels[value] }))}
      value={format}
      onChange={(value) => onChange(EXPORT_FORMATS.find((one) => one === value) ?? 'comma')}
      maw={360}
    />
  )
}

interface DaysProps {
  filters: Filter[]
  values: FilterValues
  onChange(member: string, day: string): void
}

/** Days for the filter of the list: the file may cover other days than the page. */
function Days({ filters, values, onChange }: DaysProps) {
  const t = useTexts(KIT_TEXTS)
  const filter = filters.find(({ kind }) => kind === 'days')
  if (!filter) return null
  const [from = '', to = ''] = membersOf(filter)
  const field = (member: string, label: string) => (
    <DayField
      label={fill(label, { label: filter.label })}
      value={values[member] ?? ''}
      onChange={(day) => onChange(member, day)}
    />
  )
  return (
    <div className="form-row">
      {field(from, t.fromOf)}
      {field(to, t.toOf)}
    </div>
  )
}

interface ColumnsProps {
  all: readonly string[]
  chosen: readonly string[]
  onChange(columns: readonly string[]): void
}

function Columns({ all, chosen, onChange }: ColumnsProps) {
  const t = useTexts(KIT_TEXTS)
  const toggle = (column: string) =>
    // Columns are in the order of the file, whatever the order of the clicks.
    onChange(all.filter((one) => (one === column) !== chosen.includes(one)))
  return (
    <fieldset className="export-columns">
      <legend>{t.exportColumns}</legend>
      <Check
        isChecked={chosen.length === all.length}
        isPartial={chosen.length > 0 && chosen.length < all.length}
        onChange={() => onChange(chosen.length === all.length ? [] : all)}
      >
        {t.exportAll}
      </Check>
      <ul>
        {all.map((column) => (
          <li key={column}>
            <Check isChecked={chosen.includes(column)} onChange={() => toggle(column)}>
              <code>{column}</code>
            </Check>
          </li>
        ))}
      </ul>
    </fieldset>
  )
}
