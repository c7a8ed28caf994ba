import { Alert, Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { OAuthClient, OAuthClientWithSecret } from '../../../contract/dashboard/credentials-api.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { useCall } from '../../kit/call.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { currentOf, useEdited } from '../../kit/edited.ts'
import { FormProblems } from '../../kit/form.tsx'
import { useBusiness } from '../../kit/me.ts'
import { Meanwhile } from '../../kit/meanwhile.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { ScopeInput, useRights, useScopesText } from './scope-input.tsx'
import { CREDENTIAL_TEXTS } from './texts/texts.ts'

interface Draft {
  name: string
  redirect_url: string
  password_grant: boolean
  skips_second_factor: boolean
  scopes: Scope[]
}

interface NewClientProps {
  onClose(): void
  onMade(made: OAuthClientWithSecret): void
}

export function NewClientDialog({ onClose, onMade }: NewClientProps) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const rights = useRights()
  const [draft, setDraft] = useState<Draft>({
    name: '',
    redirect_url: '',
    password_grant: false,
    skips_second_factor: false,
    scopes: rights,
  })
  async function create(key: string) {
    const { skips_second_factor: _ownersLater, ...body } = draft
    onMade(await call('POST /oauth_clients', { body, key }))
    await invalidate('GET /oauth_clients')
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.newClient}
      verb={t.createClient}
      isOnce
      onConfirm={create}
      disabled={isIncomplete(draft)}
      refusalOf={(error) => <FormProblems error={error} labels={{ name: t.name, redirect_url: t.redirectUrl }} />}
    >
      <ClientFields draft={draft} offered={rights} onChange={setDraft} />
    </ConfirmDialog>
  )
}

export function EditClientDialog({ client, onClose }: { client: OAuthClient; onClose(): void }) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  const { base, draft, setDraft, changed, commit } = useEdited(client, draftOf)
  const rights = useRights()
  const { labels, shown } = useShown(base)
  const next = originOf(draft.redirect_url)
  async function save() {
    const body = { version: base.version, ...draft }
    try {
      await commit(() => call('PATCH /oauth_clients/{id}', { params: { id: client.id }, body }))
      toast(t.saved)
    } finally {
      await invalidate('GET /oauth_clients')
    }
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.editTitle, { name: client.name })}
      about={client.id}
      verb={t.save}
      onConfirm={save}
      disabled={isIncomplete(draft)}
      refusalOf={(error) =>
        currentOf(error) ? '' : <FormProblems error={error} labels={{ name: t.name, redirect_url: t.redirectUrl }} />
      }
    >
      <Meanwhile changes={changed?.map((name) => [labels[name], shown[name]])} />
      <ClientFields draft={draft} offered={[...base.scopes, ...rights]} isEdited onChange={setDraft} />
      {next !== null && next !== base.origin && (
        <Alert color="yellow" variant="outline">
          {fill(t.originStops, { origin: base.origin, next })}
        </Alert>
      )}
    </ConfirmDialog>
  )
}

/** Returns the changes that somebody else has saved meanwhile, as text. */
function useShown(base: OAuthClient) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const scopesText = useScopesText()
  const labels = {
    name: t.name,
    redirect_url: t.redirectUrl,
    password_grant: t.passwordGrant,
    skips_second_factor: t.skipsFactorName,
    scopes: t.scopes,
  }
  const shown = {
    ...base,
    password_grant: base.password_grant ? t.on : t.off,
    skips_second_factor: base.skips_second_factor ? t.on : t.off,
    scopes: scopesText(base.scopes),
  }
  return { labels, shown }
}

const draftOf = ({ name, redirect_url, password_grant, skips_second_factor, scopes }: OAuthClient): Draft => ({
  name,
  redirect_url,
  password_grant,
  skips_second_factor,
  scopes,
})

const isIncomplete = ({ name, redirect_url: url, scopes }: Draft) =>
  name.trim() === '' || url === '' || scopes.length === 0

/** Returns the origin of a URL; `null` if the text is not a URL yet. */
const originOf = (url: string): string | null => (URL.canParse(url) ? new URL(url).origin : null)

interface ClientFieldsProps {
  draft: Draft
  offered: readonly Scope[]
  /** Whether an existing client is edited: a new one cannot be allowed to skip the second factor. */
  isEdited?: boolean
  onChange(draft: Draft): void
}

function ClientFields({ draft, offered, isEdited = false, onChange }: ClientFieldsProps) {
  const isOwner = useBusiness().role === 'owner'
  const t = useTexts(CREDENTIAL_TEXTS)
  return (
    <>
      <TextInput
        label={t.name}
        value={draft.name}
        required
        data-autofocus
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
      />
      <TextInput
        label={t.redirectUrl}
        description={t.redirectHint}
        type="url"
        inputMode="url"
        placeholder="https://shop.example/pay"
        value={draft.redirect_url}
        required
        onChange={({ currentTarget }) => onChange({ ...draft, redirect_url: currentTarget.value })}
      />
      <Checkbox
        label={t.passwordGrantText}
        checked={draft.password_grant}
        onChange={({ currentTarget }) => onChange({ ...draft, password_grant: currentTarget.checked })}
      />
      {isEdited && (isOwner || draft.skips_second_factor) && (
        <Checkbox
          label={t.skipsFactor}
          checked={draft.skips_second_factor}
          onChange={({ currentTarget }) => onChange({ ...draft, skips_second_factor: currentTarget.checked })}
        />
      )}
      <ScopeInput value={draft.scopes} offered={offered} onChange={(scopes) => onChange({ ...draft, scopes })} />
    </>
  )
}
