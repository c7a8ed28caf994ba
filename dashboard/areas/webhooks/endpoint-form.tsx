import { Checkbox, MultiSelect, TextInput } from '@mantine/core'
import { EVENT_TYPES } from '../../../contract/event-types.ts'
import { useTexts } from '../../kit/texts.ts'
import { WEBHOOK_TEXTS } from './texts/texts.ts'

export interface EndpointDraft {
  url: string
  description: string
  /** Event types; `*` alone means all. */
  types: string[]
  ordered: boolean
  /** What happens to the user name and password of the endpoint, which no page receives. */
  auth: 'none' | 'kept' | 'removed'
}

const SELECTABLE = EVENT_TYPES.filter((type) => type !== 'ping')

/** Returns the members of the call. */
export const bodyOfDraft = ({ url, description, types, ordered, auth }: EndpointDraft) => ({
  url: url.trim(),
  description: description.trim() === '' ? null : description.trim(),
  enabled_events: types as ('*' | (typeof EVENT_TYPES)[number])[],
  ordered,
  ...(auth === 'removed' && { basic_auth: false }),
})

export const isComplete = ({ url, types }: EndpointDraft): boolean => url.trim() !== '' && types.length > 0

interface EndpointFieldsProps {
  draft: EndpointDraft
  onChange(draft: EndpointDraft): void
}

export function EndpointFields({ draft, onChange }: EndpointFieldsProps) {
  const t = useTexts(WEBHOOK_TEXTS)
  const isAll = draft.types.includes('*')
  return (
    <>
      <TextInput
        label={t.url}
        description={t.urlHint}
        type="url"
        inputMode="url"
        placeholder="https://shop.example/webhooks"
        value={draft.url}
        required
        data-autofocus
        onChange={({ currentTarget }) => onChange({ ...draft, url: currentTarget.value })}
      />
      {draft.auth !== 'none' && <AuthField draft={draft} onChange={onChange} />}
      <TextInput
        label={t.description}
        description={t.descriptionHint}
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ ...draft, description: currentTarget.value })}
      />
      <Checkbox
        label={t.allTypes}
        checked={isAll}
        onChange={({ currentTarget }) => onChange({ ...draft, types: currentTarget.checked ? ['*'] : [] })}
      />
      {!isAll && (
        <MultiSelect
          label={t.types}
          data={SELECTABLE}
          value={draft.types}
          searchable
          clearable
          required
          onChange={(types) => onChange({ ...draft, types })}
        />
      )}
      <Checkbox
        label={t.ordered}
        checked={draft.ordered}
        onChange={({ currentTarget }) => onChange({ ...draft, ordered: currentTarget.checked })}
      />
    </>
  )
}

/** User name and password are set within the URL, and no page receives them: here they can only be removed. */
function AuthField({ draft, onChange }: EndpointFieldsProps) {
  const t = useTexts(WEBHOOK_TEXTS)
  return (
    <Checkbox
      label={t.removeAuth}
      description={t.authKept}
      checked={draft.auth === 'removed'}
      onChange={({ currentTarget }) => onChange({ ...draft, auth: currentTarget.checked ? 'removed' : 'kept' })}
    />
  )
}
