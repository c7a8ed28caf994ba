import { type Permission, ROLES, type Role, rolesWith } from '../../../contract/permissions.ts'
import { Page } from '../../kit/page.tsx'
import { ScrollingPart } from '../../kit/scrolling.tsx'
import { Status } from '../../kit/status.tsx'
import { useTexts } from '../../kit/texts.ts'
import { TEAM_TEXTS } from './texts/texts.ts'

/** Each line names one permission of its group: the others in the group have the same roles. */
const GROUPS = {
  group_read: { p_read: 'payments.read' },
  group_money: {
    p_refund: 'payments.refund',
    p_refundOver: 'payments.refund_over_limit',
    p_sell: 'payments.sell',
    p_settle: 'batches.settle',
  },
  group_customers: {
    p_sessions: 'sessions.write',
    p_customers: 'customers.write',
    p_subscriptions: 'subscriptions.write',
    p_retry: 'subscriptions.retry',
    p_catalog: 'catalog.write',
    p_contracts: 'contracts.write',
  },
  group_developers: { p_developers: 'keys.write', p_test: 'test.use' },
  group_export: { p_exportPayments: 'export.payments', p_exportCustomers: 'export.customers' },
  group_settings: {
    p_settings: 'settings.write',
    p_limits: 'limits.write',
    p_team: 'team.write',
    p_audit: 'audit.read',
    p_auditOwn: 'audit.read_own',
  },
} as const satisfies Record<string, Record<string, Permission>>

type Group = keyof typeof GROUPS
type Line = { [Name in Group]: keyof (typeof GROUPS)[Name] }[Group]

/** Permissions of each role, from the same table that the server uses. */
export default function RolesPage() {
  const t = useTexts(TEAM_TEXTS)
  return (
    <Page title={t.rolesTitle} breadcrumbs={[{ label: t.team, to: 'team' }]}>
      <p>{t.rolesText}</p>
      <ScrollingPart label={t.rolesTitle}>
        <table className="matrix">
          <caption className="only-read">{t.rolesTitle}</caption>
          <thead>
            <tr>
              <th scope="col">{t.permission}</th>
              {ROLES.map((role) => (
                <th scope="col" key={role}>
                  {t[role]}
                </th>
              ))}
            </tr>
          </thead>
          {(Object.keys(GROUPS) as Group[]).map((group) => (
            <GroupRows key={group} group={group} />
          ))}
        </table>
      </ScrollingPart>
    </Page>
  )
}

function GroupRows({ group }: { group: Group }) {
  const t = useTexts(TEAM_TEXTS)
  return (
    <tbody>
      <tr>
        <th className="group-row" scope="rowgroup" colSpan={ROLES.length + 1}>
          {t[group]}
        </th>
      </tr>
      {(Object.entries(GROUPS[group]) as [Line, Permission][]).map(([line, permission]) => (
        <tr key={line}>
          <th scope="row">{t[line]}</th>
          {ROLES.map((role) => (
            <td key={role}>
              <Right role={role} permission={permission} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
}

function Right({ role, permission }: { role: Role; permission: Permission }) {
  const t = useTexts(TEAM_TEXTS)
  if (rolesWith(permission, 'production').includes(role)) return <Status tone="good">{t.may}</Status>
  if (rolesWith(permission, 'staging').includes(role)) return <Status tone="info">{t.inStaging}</Status>
  return <span className="dimmed">{t.mayNot}</span>
}
