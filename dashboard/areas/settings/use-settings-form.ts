import { useState } from 'react'
import { CallError } from '../../kit/call.ts'
import { useToast } from '../../kit/dialog.tsx'
import { currentOf } from '../../kit/edited.ts'
import { useFormatLocale } from '../../kit/money.tsx'
import { useTexts } from '../../kit/texts.ts'
import { changedFields, type Draft, draftOf, type Field, type Members, sentOf } from './fields.ts'
import { SETTINGS_TEXTS } from './texts/texts.ts'

export interface SavedMembers extends Members {
  version: string
}

/**
 * A form for settings that have a version. If the settings are changed meanwhile, by another person or elsewhere on the
 * page, the input is preserved, and the next attempt is based on the current settings.
 */
export function useSettingsForm<Saved extends SavedMembers>(
  fields: readonly Field[],
  given: Saved,
  save: (body: Members & { version: string }) => Promise<Saved>,
) {
  const t = useTexts(SETTINGS_TEXTS)
  const toast = useToast()
  const form = useDraft(fields, given)
  const { base, draft, changed, start, rebase, setMeanwhile } = form
  const [error, setError] = useState<unknown>(null)

  async function submit() {
    form.setSaving(true)
    setError(null)
    const sent = changed.map(({ name }) => [name, form.sent[name]])
    try {
      start(await save({ ...Object.fromEntries(sent), version: base.version }), draft)
      toast(t.saved)
    } catch (failed) {
      const current = currentOf<Saved>(failed)
      if (!current) return setError(failed)
      setMeanwhile(form.differing(fields, current))
      rebase(current)
    } finally {
      form.setSaving(false)
    }
  }

  /** Returns whether the whole input can be sent; otherwise sets an error that says what cannot. */
  function check(): boolean {
    const unreadable = changed.filter(({ name }) => form.sent[name] === undefined)
    if (unreadable.length === 0) return true
    const texts = unreadable.map(({ name, kind }) => [name, kind === 'amount' ? t.notAmount : t.notNumber])
    setError(new CallError(422, { code: 'validation_failed', errors: Object.fromEntries(texts) }))
    return false
  }
  const set = (name: string, value: string) => form.setDraft({ ...draft, [name]: value })
  const { meanwhile, isSaving } = form
  return { base, draft, set, changed, error, meanwhile, isSaving, check, submit }
}

/** Returns the input on top of the stored values. */
function useDraft<Saved extends SavedMembers>(fields: readonly Field[], given: Saved) {
  const locale = useFormatLocale()
  const [base, setBase] = useState(given)
  const [seen, setSeen] = useState(given)
  const [draft, setDraft] = useState<Draft>(() => draftOf(fields, given, locale))
  const [meanwhile, setMeanwhile] = useState<Field[]>([])
  const [isSaving, setSaving] = useState(false)
  const changed = changedFields(fields, draft, base, locale)
  const sent = Object.fromEntries(fields.map((field) => [field.name, sentOf(field, draft[field.name] ?? '', locale)]))
  /** Returns those fields that have a different value by now. */
  const differing = (some: readonly Field[], current: Saved) =>
    changedFields(some, draftOf(some, base, locale), current, locale)
  /** @param sentDraft the input at the time it was sent; later input is preserved */
  function start(saved: Saved, sentDraft: Draft) {
    setBase(saved)
    setDraft((now) => {
      const since = Object.entries(now).filter(([name, text]) => text !== sentDraft[name])
      return { ...draftOf(fields, saved, locale), ...Object.fromEntries(since) }
    })
    setMeanwhile([])
  }
  /** Updates fields that the person has not edited. */
  function rebase(current: Saved) {
    const own = Object.fromEntries(changed.map(({ name }) => [name, draft[name] ?? '']))
    setDraft({ ...draftOf(fields, current, locale), ...own })
    setBase(current)
  }
  // The settings were read again.
  if (given !== seen) {
    setSeen(given)
    if (given.version !== base.version) {
      if (!isSaving) setMeanwhile(differing(changed, given))
      rebase(given)
    }
  }
  return {
    base,
    draft,
    setDraft,
    changed,
    sent,
    differing,
    start,
    rebase,
    meanwhile,
    setMeanwhile,
    isSaving,
    setSaving,
  }
}
