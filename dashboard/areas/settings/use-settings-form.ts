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
 * A form over settings that have a version. When they are changed meanwhile, by someone else or beside the form, what
 * was typed stays, and the next try is about what they are now.
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

  /** Whether all that was typed can be sent; otherwise the error says what cannot. */
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

/** What is typed, over what is stored. */
function useDraft<Saved extends SavedMembers>(fields: readonly Field[], given: Saved) {
  const locale = useFormatLocale()
  const [base, setBase] = useState(given)
  const [seen, setSeen] = useState(given)
  const [draft, setDraft] = useState<Draft>(() => draftOf(fields, given, locale))
  const [meanwhile, setMeanwhile] = useState<Field[]>([])
  const [isSaving, setSaving] = useState(false)
  const changed = changedFields(fields, draft, base, locale)
  const sent = Object.fromEntries(fields.map((field) => [field.name, sentOf(field, draft[field.name] ?? '', locale)]))
  /** Which of them are another value by now. */
  const differing = (some: readonly Field[], current: Saved) =>
    changedFields(some, draftOf(some, base, locale), current, locale)
  /** @param sentDraft what was typed when it was sent; what was typed since then stays */
  function start(saved: Saved, sentDraft: Draft) {
    setBase(saved)
    setDraft((now) => {
      const since = Object.entries(now).filter(([name, text]) => text !== sentDraft[name])
      return { ...draftOf(fields, saved, locale), ...Object.fromEntries(since) }
    })
    setMeanwhile([])
  }
  /** What the person has not touched follows. */
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
