import { type Area, readsList } from '../../kit/area.ts'

export const sessionsArea: Area = {
  pages: [
    {
      path: 'sessions',
      permission: 'payments.read',
      nav: { group: 'money', label: 'sessions', order: 20 },
      reads: readsList('GET /checkout_sessions'),
      load: () => import('./sessions-page.tsx'),
    },
    { path: 'sessions/new', permission: 'sessions.write', load: () => import('./new-link-page.tsx') },
    { path: 'sessions/$id', permission: 'payments.read', load: () => import('./session-page.tsx') },
  ],
}
