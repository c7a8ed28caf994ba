import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import type { EndpointName } from '../../contract/dashboard/dashboard-api.ts'
import { useDownload } from './call.ts'
import { ConfirmDialog } from './dialog.tsx'
import { bodyOf, type Filter, useFilters } from './filters.ts'
import { Icon } from './icons.tsx'
import { KIT_TEXTS } from './kit-texts.ts'
import { useBusiness } from './me.ts'
import { useTexts } from './texts.ts'

interface ExportProps {
  name: EndpointName & `POST ${string}`
  filters: Filter[]
  /** Members that are always sent. */
  query: Record<string, unknown>
}

const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

/** Exports everything that the filters match. */
export function ExportButton({ name, filters, query }: ExportProps) {
  const t = useTexts(KIT_TEXTS)
  const { time_zone: zone } = useBusiness()
  const [values] = useFilters()
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(zone)
  const download = useDownload()
  const file = `${name.split('/')[1]}-${new Date().toISOString().slice(0, 10)}.csv`
  const body = { ...query, ...bodyOf(filters, values), time_zone: chosen }
  return (
    <>
      <Button variant="default" size="sm" leftSection={<Icon name="download" />} onClick={() => setOpen(true)}>
        {t.export}
      </Button>
      <ConfirmDialog
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t.exportTitle}
        verb={t.exportNow}
        onConfirm={(key) => download(name, { body, key } as never, file)}
      >
        <p>{t.exportText}</p>
        <Select
          label={t.exportZone}
          data={[...new Set([zone, OWN_ZONE, 'UTC'])]}
          value={chosen}
          onChange={(value) => setChosen(value ?? zone)}
        />
      </ConfirmDialog>
    </>
  )
}
