import { Checkbox } from '@mantine/core'
import { SCOPES, type Scope, scopesOf } from '../../../contract/scopes.ts'
import { useBusiness, useMe } from '../../kit/me.ts'
import { fill, useTexts } from '../../kit/texts.ts'
import { CREDENTIAL_TEXTS } from './texts/texts.ts'

/** Value of the checkbox for all offered scopes. */
const ALL = 'all'
const BATCH_SCOPE = 'settle' satisfies Scope

interface ScopeInputProps {
  value: readonly Scope[]
  /** Scopes to choose from, including those that the credential already has. */
  offered: readonly Scope[]
  onChange(value: Scope[]): void
}

/** Scopes of a key or client. Scopes that the person's role does not allow are not offered. */
export function ScopeInput({ value, offered, onChange }: ScopeInputProps) {
  const t = useTexts(CREDENTIAL_TEXTS)
  const name = useScopeName()
  const isAll = offered.every((scope) => value.includes(scope))
  function choose(chosen: string[]) {
    if (chosen.includes(ALL) !== isAll) onChange(isAll && !chosen.includes(ALL) ? [] : [...offered])
    else onChange(SCOPES.filter((scope) => chosen.includes(scope)))
  }
  return (
    <Checkbox.Group
      label={t.scopes}
      description={t.scopesHint}
      descriptionProps={{ mb: 8 }}
      value={isAll ? [ALL, ...value] : [...value]}
      onChange={choose}
    >
      <div className="stack">
        <Checkbox value={ALL} label={t.scopeAllOffered} indeterminate={!isAll && value.length > 0} />
        {SCOPES.filter((scope) => offered.includes(scope)).map((scope) => (
          <Checkbox key={scope} value={scope} label={name(scope)} />
        ))}
      </div>
    </Checkbox.Group>
  )
}

/** Returns the scopes that the person may grant. */
export function useRights(): Scope[] {
  return scopesOf(useBusiness().role, useMe().environment)
}

/** Describes scopes in a sentence: `Everything`, or the scopes. */
export function useScopesText(): (scopes: readonly Scope[]) => string {
  const t = useTexts(CREDENTIAL_TEXTS)
  const name = useScopeName()
  return (scopes) => (SCOPES.every((scope) => scopes.includes(scope)) ? t.scopeAll : scopes.map(name).join(', '))
}

function useScopeName(): (scope: Scope) => string {
  const t = useTexts(CREDENTIAL_TEXTS)
  return (scope) => {
    if (scope === BATCH_SCOPE) return t.scopeOfBatch
    const [kind = '', right] = scope.split(':')
    const what = t[`scope_${kind}` as keyof typeof t]
    return right === undefined ? what : fill(t[right === 'read' ? 'scopeRead' : 'scopeWrite'], { what })
  }
}
