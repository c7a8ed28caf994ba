import type { ReactNode } from 'react'
import type { BodyOf, ResponseOf } from '../../../contract/dashboard/dashboard-api.ts'
import { useCall } from '../../kit/call.ts'
import { useInvalidate, useRead } from '../../kit/read.ts'
import { Refusal } from '../../kit/refusal.tsx'
import type { Members } from './fields.ts'

export type Settings = ResponseOf<'GET /settings'>

/**
 * Reads the settings and renders them; after a failed read it still shows the previous ones, with the person's input.
 */
export function WithSettings({ children }: { children: (settings: Settings) => ReactNode }) {
  const read = useRead('GET /settings')
  return (
    <>
      <Refusal error={read.error} onRetry={() => void read.refetch()} />
      {read.data && children(read.data)}
    </>
  )
}

type SettingsCall = 'PATCH /settings' | 'PATCH /settings/letters' | 'PATCH /branding'

/** Saves settings; the members are the fields of a form. */
export function useSave(name: SettingsCall): (body: Members & { version: string }) => Promise<Settings> {
  const call = useCall()
  const invalidate = useInvalidate()
  return async (body) => {
    try {
      return await call(name, { body: body as BodyOf<'PATCH /settings'> })
    } finally {
      await invalidate('GET /settings')
    }
  }
}
