import { Alert } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { CallError } from '../../kit/call.ts'
import { Card } from '../../kit/detail.tsx'
import { ConfirmDialog } from '../../kit/dialog.tsx'
import { FormProblems } from '../../kit/form.tsx'
import { useFormatLocale } from '../../kit/money.tsx'
import { SendButton } from '../../kit/send-button.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { FieldInput } from './field-input.tsx'
import { type Draft, type Field, type Members, textOf } from './fields.ts'
import { SETTINGS_TEXTS } from './texts/texts.ts'
import { type SavedMembers, useSettingsForm } from './use-settings-form.ts'

interface Group {
  title: string
  fields: Field[]
  extra?: ReactNode
}

interface SettingsFormProps<Saved extends SavedMembers> {
  groups: Group[]
  settings: Saved
  save(body: Members & { version: string }): Promise<Saved>
  /** Whether the person may change the settings. */
  mayChange: boolean
  /** Why the person may not change them. */
  readOnlyReason: string
  /** Confirmations in a dialog before these fields are changed; absent means none. */
  confirm?: readonly Confirmation[]
}

export interface Confirmation {
  names: readonly string[]
  text: string
  /** Which changes need the confirmation; absent means all. */
  when?(before: Members, draft: Draft): boolean
}

/** A form of settings, in cards. */
export function SettingsForm<Saved extends SavedMembers>(props: SettingsFormProps<Saved>) {
  const { groups, settings, save, mayChange, readOnlyReason, confirm = [] } = props
  const t = useTexts(SETTINGS_TEXTS)
  const fields = groups.flatMap((group) => group.fields)
  const form = useSettingsForm(fields, settings, save)
  const [isAsking, setAsking] = useState(false)
  const errors = form.error instanceof CallError ? form.error.errors : {}
  const labels = Object.fromEntries(fields.map(({ name, label }) => [name, label]))
  const asked = confirm.filter((one) => isConfirmed(one, form))
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (form.changed.length === 0 || form.isSaving || !form.check()) return
        if (asked.length > 0) setAsking(true)
        else void form.submit()
      }}
    >
      {!mayChange && <Alert color="gray" variant="outline" title={readOnlyReason} />}
      <Meanwhile fields={form.meanwhile} members={form.base} />
      <FormProblems error={form.error} labels={labels} />
      <Groups {...{ groups, mayChange, errors }} draft={form.draft} set={form.set} />
      {mayChange && (
        <div>
          <SendButton error={form.error} loading={form.isSaving} disabled={form.changed.length === 0}>
            {t.save}
          </SendButton>
        </div>
      )}
      {asked.length > 0 && (
        <ConfirmDialog
          opened={isAsking}
          onClose={() => setAsking(false)}
          title={t.confirmTitle}
          verb={t.save}
          onConfirm={form.submit}
        >
          {asked.map(({ text }) => (
            <p key={text}>{text}</p>
          ))}
          <Changes fields={form.changed} members={form.base} draft={form.draft} />
        </ConfirmDialog>
      )}
    </form>
  )
}

function isConfirmed(
  { names, when }: Confirmation,
  { changed, base, draft }: Pick<ReturnType<typeof useSettingsForm>, 'changed' | 'base' | 'draft'>,
): boolean {
  return changed.some(({ name }) => names.includes(name)) && (when?.(base, draft) ?? true)
}

interface GroupsProps {
  groups: Group[]
  mayChange: boolean
  errors: Record<string, string>
  draft: Draft
  set(name: string, value: string): void
}

function Groups({ groups, mayChange, errors, draft, set }: GroupsProps) {
  return groups.map(({ title, fields, extra }) => (
    <Card key={title} title={title}>
      <fieldset className="plain-fieldset stack" disabled={!mayChange} aria-label={title}>
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            value={draft[field.name] ?? ''}
            error={errors[field.name]}
            onChange={(value) => set(field.name, value)}
          />
        ))}
      </fieldset>
      {extra}
    </Card>
  ))
}

/** Returns a function for the text of a field's value. */
function useShown(): (field: Field, text: string) => string {
  const t = useTexts(SETTINGS_TEXTS)
  return ({ kind, options }, text) => {
    if (kind === 'toggle') return text === 'true' ? t.yes : t.no
    const option = options?.find(({ value }) => value === text)
    return option?.label ?? (text === '' ? t.empty : text.replaceAll('\n', ', '))
  }
}

function Meanwhile({ fields, members }: { fields: Field[]; members: Members }) {
  const t = useTexts(SETTINGS_TEXTS)
  const locale = useFormatLocale()
  const shown = useShown()
  if (fields.length === 0) return null
  return (
    <Alert color="yellow" variant="outline" title={t.changedMeanwhile} role="alert">
      <ul>
        {fields.map((field) => (
          <li key={field.name}>
            {fill(t.nowIs, { label: field.label, value: shown(field, textOf(field, members[field.name], locale)) })}
          </li>
        ))}
      </ul>
    </Alert>
  )
}

function Changes({ fields, members, draft }: { fields: Field[]; members: Members; draft: Draft }) {
  const t = useTexts(SETTINGS_TEXTS)
  const locale = useFormatLocale()
  const shown = useShown()
  return (
    <ul>
      {fields.map((field) => (
        <li key={field.name}>
          {fill(t.confirmLine, {
            label: field.label,
            from: shown(field, textOf(field, members[field.name], locale)),
            to: shown(field, draft[field.name] ?? ''),
          })}
        </li>
      ))}
    </ul>
  )
}
