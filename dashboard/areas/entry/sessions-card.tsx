import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
import { ListTable } from '../../kit/list-table.tsx'
import { personCall } from '../../kit/person-call.ts'
import { Status } from '../../kit/status.tsx'
import { fill, useTexts } from '../../kit/texts.ts'
import { Instant } from '../../kit/time.tsx'
import { type Account, useRefreshAccount } from './account.ts'
import { browserName } from './browser-name.ts'
import { TEXTS } from './texts/texts.ts'

type Session = Account['sessions'][number]

export function SessionsCard({ account: { sessions } }: { account: Account }) {
  const t = useTexts(TEXTS)
  const refresh = useRefreshAccount()
  const toast = useToast()
  const [ending, setEnding] = useState<Session | 'others' | null>(null)
  const end = async () => {
    if (ending === 'others') await personCall('POST /dashboard/auth/sessions/end-others')
    else if (ending) await personCall('DELETE /dashboard/auth/sessions/{id}', { params: { id: ending.id } })
    await refresh()
    toast(t.sessionEnded)
  }
  const columns = useColumns(setEnding)
  return (
    <Card
      title={t.sessions}
      actions={
        sessions.length > 1 && (
          <Button variant="default" size="sm" onClick={() => setEnding('others')}>
            {t.endOthers}
          </Button>
        )
      }
    >
      <ListTable caption={t.sessions} columns={columns} rows={sessions} />
      <ConfirmDialog
        opened={ending !== null}
        onClose={() => setEnding(null)}
        about={ending === 'others' ? 'others' : ending?.id}
        title={ending === 'others' ? t.endOthers : t.endSession}
        verb={t.endSession}
        tone="danger"
        onConfirm={end}
      >
        <p>
          {ending === 'others'
            ? t.endOthersText
            : fill(t.endSessionOf, { browser: browserName(ending?.user_agent ?? null) ?? t.unknown })}
        </p>
      </ConfirmDialog>
    </Card>
  )
}

function useColumns(onEnd: (session: Session) => void) {
  const t = useTexts(TEXTS)
  return [
    { id: 'browser', header: t.browser, cell: (session: Session) => browserName(session.user_agent) ?? t.unknown },
    { id: 'address', header: t.address, cell: ({ ip }: Session) => ip ?? t.unknown },
    { id: 'since', header: t.since, cell: (session: Session) => <Instant at={session.created_at} /> },
    { id: 'last', header: t.lastSeen, cell: (session: Session) => <Instant at={session.last_seen_at} /> },
    { id: 'actions', header: t.actions, cell: (session: Session) => <EndSession {...{ session, onEnd }} /> },
  ]
}

function EndSession({ session, onEnd }: { session: Session; onEnd(session: Session): void }) {
  const t = useTexts(TEXTS)
  if (session.is_current) return <Status tone="info">{t.thisSession}</Status>
  const browser = browserName(session.user_agent) ?? t.unknown
  return (
    <Button variant="default" size="sm" aria-label={fill(t.endSessionOf, { browser })} onClick={() => onEnd(session)}>
      {t.endSession}
    </Button>
  )
}
