import { useState } from 'react'
import { CallError } from '../../kit/call.ts'
import { useToast } from '../../kit/dialog.tsx'
import { useFormatLocale } from '../../kit/money.tsx'
import { useTexts } from '../../kit/texts.ts'
import { changedFields, type Draft, draftOf, type Field, type Members, sentOf } from './fields.ts'
import { SETTINGS_TEXTS } from './texts/texts.ts'

export interface SavedMembers extends Members {
  version: string
}

/**
 * A form over settings that have a version. When someone else has changed them meanwhile, what was typed stays, and the
 * next try is about what they are now.
 */
export function useSettingsForm<Saved extends SavedMembers>(
  fields: readonly Field[],
  given: Saved,
  save: (body: Members & { version: string }) => Promise<Saved>,
) {
  const t = useTexts(SETTINGS_TEXTS)
  const locale = useFormatLocale()
  const toast = useToast()
  const [base, setBase] = useState(given)
  const [draft, setDraft] = useState<Draft>(() => draftOf(fields, given, locale))
  const [error, setError] = useState<unknown>(null)
  const [meanwhile, setMeanwhile] = useState<Field[]>([])
  const [isSaving, setSaving] = useState(false)
  const changed = changedFields(fields, draft, base, locale)

  async function submit() {
    setSaving(true)
    setError(null)
    const sent = changed.map((field) => [field.name, sentOf(field, draft[field.name] ?? '', locale)])
    try {
      const saved = await save({ ...Object.fromEntries(sent), version: base.version })
      setBase(saved)
      setDraft(draftOf(fields, saved, locale))
      setMeanwhile([])
      toast(t.saved)
    } catch (failed) {
      const current = currentOf<Saved>(failed)
      if (!current) return setError(failed)
      setMeanwhile(changedFields(fields, draftOf(fields, base, locale), current, locale))
      // What the person has not touched follows the others.
      const own = Object.fromEntries(changed.map(({ name }) => [name, draft[name] ?? '']))
      setDraft({ ...draftOf(fields, current, locale), ...own })
      setBase(current)
    } finally {
      setSaving(false)
    }
  }
  const set = (name: string, value: string) => setDraft({ ...draft, [name]: value })
  return { base, draft, set, changed, error, meanwhile, isSaving, submit }
}

function currentOf<Saved>(failed: unknown): Saved | null {
  if (!(failed instanceof CallError) || failed.code !== 'conflict') return null
  return (failed.extra.current as Saved | undefined) ?? null
}
