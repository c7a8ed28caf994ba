import { pino } from 'pino'
import { PERMISSIONS, ROLES, rolesWith } from '../contract/permissions.ts'
import { createApp } from '../server/app/app.ts'
import { readConfig } from '../server/config.ts'
import type { Route } from '../server/http/route.ts'

// Generates the page docs/reference/dashboard-api.md from the routes themselves.

const PREFIX = '/dashboard/api/b/{business_id}'

const KINDS = {
  read: 'reads',
  preview: 'shows what a change would do',
  write: 'changes',
  once: 'changes, once for each `Idempotency-Key`',
  bulk: 'changes several, once for each `Idempotency-Key`',
  export: 'CSV',
}
const STEP_UP = { never: '', sometimes: 'may be asked', always: 'yes' }

const NO_SCRIPT = { file: '', integrity: '', code: Buffer.from('') }

/** Returns the routes of the service, without opening it. */
export async function dashboardRoutesOfApp(): Promise<Route[]> {
  const app = createApp({
    config: readConfig({}),
    databaseUrl: 'postgres://nobody@127.0.0.1:9/none',
    masterKeys: [Buffer.alloc(32)],
    gateways: {},
    library: { current: [], released: [] },
    page: { render: () => '', headers: () => ({}), assets: { ...NO_SCRIPT, wallet: NO_SCRIPT } },
    log: pino({ level: 'silent' }),
  })
  const { routes } = app
  await app.close()
  return routes.filter(({ path }) => path.startsWith(PREFIX))
}

export function dashboardPage(routes: readonly Route[]): string {
  const rows = routes.map((route) => ({ ...route, path: route.path.slice(PREFIX.length) })).sort(byPath)
  return `# The interface behind the dashboard

What the pages of the dashboard call, below \`${PREFIX}\`. It is private: it changes with the
pages, without notice. Programs use the [merchant API](../guides/merchant-api.md). The rules:
[specification](../specification/dashboard.md).

This page is generated from the routes by \`npm run docs:dashboard\`; a test compares the two.

| Call | | Permission | Audit log | Step-up |
|---|---|---|---|---|
${rows.map(routeRow).join('\n')}

## Who may what

The roles of each permission, from \`contract/permissions.ts\`: owner (O), admin (A), developer (D), support (S), analyst
(N).

| Permission | Staging | Production |
|---|---|---|
${PERMISSIONS.map((name) => `| \`${name}\` | ${initials(name, 'staging')} | ${initials(name, 'production')} |`).join('\n')}
`
}

const INITIALS = { owner: 'O', admin: 'A', developer: 'D', support: 'S', analyst: 'N' }

function initials(permission: (typeof PERMISSIONS)[number], environment: 'staging' | 'production'): string {
  const roles = rolesWith(permission, environment)
  return ROLES.filter((role) => roles.includes(role))
    .map((role) => INITIALS[role])
    .join(' ')
}

function routeRow({ method, path, rights }: Route): string {
  if (!rights) return `| \`${method} ${path}\` | | | | |`
  const { kind, permission, action, stepUp } = rights
  const log = action === null ? '' : `\`${action}\``
  return `| \`${method} ${path}\` | ${KINDS[kind]} | \`${permission}\` | ${log} | ${STEP_UP[stepUp]} |`
}

const byPath = (one: Route, other: Route) =>
  one.path === other.path ? (one.method < other.method ? -1 : 1) : one.path < other.path ? -1 : 1
