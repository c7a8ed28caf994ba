import { Select } from '@mantine/core'
import { ROLES, type Role } from '../../../contract/permissions.ts'
import { useBusiness } from '../../kit/me.ts'
import { useTexts } from '../../kit/texts.ts'
import { TEAM_TEXTS } from './texts/texts.ts'

/** The roles that the person may assign: only owners can make others owners. */
export function RoleInput({ value, onChange }: { value: Role; onChange(role: Role): void }) {
  const t = useTexts(TEAM_TEXTS)
  const { role: own } = useBusiness()
  const roles = ROLES.filter((role) => own === 'owner' || role !== 'owner')
  return (
    <Select
      label={t.role}
      data={roles.map((role) => ({ value: role, label: t[role] }))}
      value={value}
      onChange={(role) => role && onChange(role as Role)}
    />
  )
}
