import { Radio, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { ApiKeyObject, ApiKeyWithSecret } from '../../../contract/dashboard/credentials-api.ts'
import type { Scope } from '../../../contract/scopes.ts'
import { useCall } from '../../kit/call.ts'
import { CallError } from '../../kit/call-error.ts'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { FormProblems } from '../../kit/form.tsx'
import { useInvalidate } from '../../kit/read.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { AddressFields, typedAddresses } from './address-fields.tsx'
import { ScopeInput, useRights } from './scope-input.tsx'
import { CREDENTIAL_TEXTS } from './texts/texts.ts'

interface NewKeyProps {
  opened: boolean
  yourIp: string | null
  onClose(): void
  onMade(made: ApiKeyWithSecret): void
}

type Pair = [string, string]

/** Renders a refusal with the names of fields that the dialogs show. */
function useRefusalOf(): (error: CallError) => React.ReactNode {
  const t = useTexts(CREDENTIAL_TEXTS)
  return (error) => <FormProblems error={error} labels={{ name: t.name, allowed_ips: t.addresses }} />
}

export function NewKeyDialog({ opened, yourIp, onClose, onMade }: NewKeyProps) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const refusalOf = useRefusalOf()
  const [name, setName] = useState('')
  const [addresses, setAddresses] = useState<Pair>(['', ''])
  const rights = useRights()
  const [scopes, setScopes] = useState<readonly Scope[]>(rights)
  const allowed = typedAddresses(addresses)
  async function create(key: string) {
    const body = { name: name.trim(), allowed_ips: allowed, scopes: [...scopes] }
    const made = await call('POST /api_keys', { body, key })
    setName('')
    setAddresses(['', ''])
    setScopes(rights)
    onMade(made)
    await invalidate('GET /api_keys')
  }
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t.newKey}
      verb={t.createKey}
      isOnce
      onConfirm={create}
      disabled={name.trim() === '' || allowed.length === 0 || scopes.length === 0}
      refusalOf={refusalOf}
    >
      <TextInput
        label={t.name}
        description={t.nameHint}
        value={name}
        required
        data-autofocus
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <AddressFields value={addresses} onChange={setAddresses} yourIp={yourIp} />
      <ScopeInput value={scopes} offered={rights} onChange={setScopes} />
    </ConfirmDialog>
  )
}

interface RotateKeyProps extends Omit<NewKeyProps, 'opened'> {
  apiKey: ApiKeyObject
}

const OVERLAPS = ['0', '1', '24'] as const

export function RotateKeyDialog({ apiKey, yourIp, onClose, onMade }: RotateKeyProps) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const refusalOf = useRefusalOf()
  const [first = '', second = ''] = apiKey.allowed_ips
  const [addresses, setAddresses] = useState<Pair>([first, second])
  const [overlap, setOverlap] = useState('24')
  const allowed = typedAddresses(addresses)
  async function rotate(key: string) {
    const body = { allowed_ips: allowed, overlap_hours: Number(overlap) as 0 | 1 | 24 }
    onMade(await call('POST /api_keys/{id}/rotate', { params: { id: apiKey.id }, body, key }))
    await invalidate('GET /api_keys')
  }
  const labels = { '0': t.overlap0, '1': t.overlap1, '24': t.overlap24 }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.rotateTitle, { name: apiKey.name })}
      about={apiKey.id}
      verb={t.rotateVerb}
      isOnce
      onConfirm={rotate}
      disabled={allowed.length === 0}
      refusalOf={refusalOf}
    >
      <p>{t.rotateText}</p>
      <AddressFields value={addresses} onChange={setAddresses} yourIp={yourIp} />
      <Radio.Group label={t.overlap} value={overlap} onChange={setOverlap}>
        <div className="stack">
          {OVERLAPS.map((hours) => (
            <Radio key={hours} value={hours} label={labels[hours]} />
          ))}
        </div>
      </Radio.Group>
    </ConfirmDialog>
  )
}

export function RevokeKeyDialog({ apiKey, onClose }: { apiKey: ApiKeyObject; onClose(): void }) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const call = useCall()
  const invalidate = useInvalidate()
  const toast = useToast()
  const [typed, setTyped] = useState('')
  const { id, name, view } = apiKey
  const [isInUse, setInUse] = useState(view.is_in_use)
  async function revoke() {
    try {
      await call('POST /api_keys/{id}/revoke', { params: { id }, body: isInUse ? { name: typed } : {} })
    } catch (error) {
      // The key was used after the page had read it.
      if (error instanceof CallError && error.errors.name) setInUse(true)
      throw error
    }
    toast(t.keyRevoked)
    await invalidate('GET /api_keys')
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={fill(t.revokeTitle, { name })}
      about={id}
      verb={t.revokeVerb}
      tone="danger"
      onConfirm={revoke}
      disabled={isInUse && typed !== name}
    >
      <p>{t.revokeText}</p>
      {isInUse && (
        <TextInput
          label={fill(t.typeName, { name })}
          value={typed}
          data-autofocus
          autoComplete="off"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      )}
    </ConfirmDialog>
  )
}
