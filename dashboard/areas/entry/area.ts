import type { Area } from '../../kit/area.ts'

export const entryArea: Area = {
  pages: [],
  personPages: [
    { path: '', isPublic: false, load: () => import('./businesses-page.tsx') },
    { path: 'account', isPublic: false, load: () => import('./account-page.tsx') },
    { path: 'sign-in', isPublic: true, load: () => import('./sign-in-page.tsx') },
    { path: 'forgotten', isPublic: true, load: () => import('./forgotten-page.tsx') },
    { path: 'reset', isPublic: true, load: () => import('./reset-page.tsx') },
    { path: 'set-up', isPublic: true, load: () => import('./set-up-page.tsx') },
    { path: 'welcome', isPublic: true, load: () => import('./welcome-page.tsx') },
  ],
}
