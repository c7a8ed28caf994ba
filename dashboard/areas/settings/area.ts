import type { Area } from '../../kit/area.ts'

const page = { permission: 'settings.read' } as const

export const settingsArea: Area = {
  pages: [
    {
      ...page,
      path: 'settings',
      nav: { group: 'settings', label: 'settings', order: 10 },
      load: () => import('./business-page.tsx'),
    },
    { ...page, path: 'settings/branding', load: () => import('./branding-page.tsx') },
    { ...page, path: 'settings/payments', load: () => import('./payment-settings-page.tsx') },
    { ...page, path: 'settings/billing', load: () => import('./billing-page.tsx') },
    { ...page, path: 'settings/batches', load: () => import('./batches-page.tsx') },
    { ...page, path: 'settings/letters', load: () => import('./letters-page.tsx') },
    { ...page, path: 'settings/limits', load: () => import('./limits-page.tsx') },
  ],
}
