import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { SubscriptionPage } from '../../../contract/dashboard/subscription-views.ts'
import type { Metadata } from '../../../contract/formats.ts'
import { fill } from '../../../contract/text.ts'
import { type CallError, useCall } from '../../kit/call.ts'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { useTexts } from '../../kit/texts.ts'
import type { DialogProps } from './dialog-props.ts'
import { Notice } from './notice.tsx'
import { TEXTS } from './texts/texts.ts'
import { useChanged } from './use-change.ts'

interface Entry {
  /** React key of the row, not the key of the metadata. */
  key: string
  name: string
  value: string
}

/** Edits reference and metadata. A concurrent change by somebody else is shown before it can be overwritten. */
export default function EditDialog({ of, onClose }: DialogProps) {
  const t = useTexts(TEXTS)
  const call = useCall()
  const changed = useChanged()
  const [version, setVersion] = useState(of.version)
  const [reference, setReference] = useState(of.view.reference ?? '')
  const [entries, setEntries] = useState(() => entriesOf(of.metadata))
  const save = async () => {
    const body = {
      version,
      reference: reference.trim() === '' ? null : reference.trim(),
      metadata: metadataOf(entries, of.metadata),
    }
    try {
      await call('PATCH /subscriptions/{id}', { params: { id: of.id }, body })
    } catch (error) {
      const current = (error as CallError).extra?.current as SubscriptionPage | undefined
      if (current) setVersion(current.version)
      throw error
    } finally {
      await changed()
    }
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.editTitle}
      verb={t.save}
      onConfirm={save}
      refusalOf={({ code, extra }) => {
        const current = extra.current as SubscriptionPage | undefined
        if (code !== 'conflict' || !current) return null
        const text = fill(t.conflict, { reference: current.view.reference ?? t.nothing })
        return <Notice tone="warn" text={text} />
      }}
      size="lg"
    >
      <TextInput
        label={t.reference}
        value={reference}
        maxLength={255}
        onChange={({ currentTarget }) => setReference(currentTarget.value)}
      />
      <Entries {...{ entries, setEntries }} />
    </ConfirmDialog>
  )
}

const entriesOf = ({ reference: _reference, ...metadata }: Metadata): Entry[] =>
  Object.entries(metadata).map(([name, value]) => ({ key: name, name, value: String(value) }))

/** Returns the metadata; a value that was not edited keeps its type. */
function metadataOf(entries: readonly Entry[], former: Metadata): Metadata {
  return Object.fromEntries(
    entries
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, value }) => {
        const known = former[name]
        return [name.trim(), known !== undefined && String(known) === value ? known : value]
      }),
  )
}

interface EntriesProps {
  entries: Entry[]
  setEntries(entries: Entry[]): void
}

function Entries({ entries, setEntries }: EntriesProps) {
  const t = useTexts(TEXTS)
  const change = (key: string, changes: Partial<Entry>) =>
    setEntries(entries.map((entry) => (entry.key === key ? { ...entry, ...changes } : entry)))
  return (
    <fieldset className="stack plain-fieldset">
      <legend className="label">{t.metadata}</legend>
      {entries.map(({ key, name, value }) => (
        <div key={key} className="price-row">
          <TextInput
            label={t.metadataKey}
            value={name}
            maxLength={40}
            onChange={({ currentTarget }) => change(key, { name: currentTarget.value })}
          />
          <TextInput
            label={t.metadataValue}
            value={value}
            maxLength={500}
            onChange={({ currentTarget }) => change(key, { value: currentTarget.value })}
          />
          <Button variant="default" onClick={() => setEntries(entries.filter((entry) => entry.key !== key))}>
            {fill(t.removeMetadata, { name })}
          </Button>
        </div>
      ))}
      <Button
        variant="default"
        size="sm"
        onClick={() => setEntries([...entries, { key: crypto.randomUUID(), name: '', value: '' }])}
      >
        {t.addMetadata}
      </Button>
    </fieldset>
  )
}
