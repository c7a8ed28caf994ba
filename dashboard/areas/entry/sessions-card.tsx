import { Button } from '@mantine/core'
import { useState } from 'react'
import { Card } from '../../kit/detail.tsx'
import { ConfirmDialog, useToast } from '../../kit/dialog.tsx'
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
  const columns = [t.browser, t.address, t.since, t.lastSeen, t.actions]
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
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <section className="table-scroll" aria-label={t.sessions} tabIndex={0}>
        <table>
          <caption className="only-read">{t.sessions}</caption>
          <thead>
            <tr>
              {columns.map((header) => (
                <th key={header} scope="col">
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sessions.map((session) => (
              <SessionRow key={session.id} session={session} onEnd={() => setEnding(session)} />
            ))}
          </tbody>
        </table>
      </section>
      <ConfirmDialog
        opened={ending !== null}
        onClose={() => setEnding(null)}
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

function SessionRow({ session, onEnd }: { session: Session; onEnd(): void }) {
  const t = useTexts(TEXTS)
  const browser = browserName(session.user_agent) ?? t.unknown
  return (
    <tr>
      <td>{browser}</td>
      <td>{session.ip ?? t.unknown}</td>
      <td>
        <Instant at={session.created_at} />
      </td>
      <td>
        <Instant at={session.last_seen_at} />
      </td>
      <td>
        {session.is_current ? (
          <Status tone="info">{t.thisSession}</Status>
        ) : (
          <Button variant="default" size="sm" aria-label={fill(t.endSessionOf, { browser })} onClick={onEnd}>
            {t.endSession}
          </Button>
        )}
      </td>
    </tr>
  )
}
