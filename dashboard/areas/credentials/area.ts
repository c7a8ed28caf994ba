import type { Area } from '../../kit/area.ts'

export const credentialsArea: Area = {
  pages: [
    {
      path: 'keys',
      permission: 'keys.write',
      nav: { group: 'developers', label: 'keys', order: 30 },
      load: () => import('./keys-page.tsx'),
    },
    {
      path: 'clients',
      permission: 'clients.write',
      nav: { group: 'developers', label: 'clients', order: 40 },
      load: () => import('./clients-page.tsx'),
    },
    {
      path: 'addresses',
      permission: 'addresses.write',
      nav: { group: 'developers', label: 'addresses', order: 50 },
      load: () => import('./addresses-page.tsx'),
    },
    {
      path: 'requests',
      permission: 'requests.read',
      nav: { group: 'developers', label: 'requests', order: 60 },
      load: () => import('./requests-page.tsx'),
    },
  ],
}
